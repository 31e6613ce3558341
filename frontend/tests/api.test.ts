import { afterEach, expect, it, vi } from "vitest";
import { ApiError, Busy, createApi, Unreachable } from "../src/api";

const refusal = (code: string) => ({ error: { code, message: "No.", field: null } });

async function answered(status: number, body: unknown, headers = {}): Promise<unknown> {
  const response = new Response(JSON.stringify(body), { status, headers });
  vi.stubGlobal("fetch", vi.fn().mockResolvedValue(response));
  return createApi()
    .models()
    .catch((error: unknown) => error);
}

afterEach(() => void vi.unstubAllGlobals());

it("comes back when a busy server says, and not all at once", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  for (const [status, code] of [
    [503, "overloaded"],
    [429, "too_many_requests"],
  ] as const) {
    const error = await answered(status, refusal(code), { "Retry-After": "2" });
    expect(error).toBeInstanceOf(Busy);
    expect((error as Busy).wait).toBe(3000);
  }
});

it("tells a refusal from a server that is gone, starting, or not behind its proxy", async () => {
  expect(await answered(422, refusal("invalid_field"))).toBeInstanceOf(ApiError);
  for (const status of [502, 503, 504])
    expect(await answered(status, refusal("not_ready"))).not.toBeInstanceOf(Busy);
  expect(await answered(503, refusal("not_ready"))).toBeInstanceOf(Unreachable);
  expect(await answered(404, "<html>")).toBeInstanceOf(Unreachable);
});
