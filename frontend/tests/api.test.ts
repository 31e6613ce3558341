import { afterEach, expect, it, vi } from "vitest";
import { ApiError, Busy, createApi, Refused, Unreachable } from "../src/api";
import { isLong } from "../src/limits";

const refusal = (code: string) => ({ error: { code, message: "No.", field: null } });

const answered = (status: number, body: unknown, headers = {}): Promise<unknown> =>
  said(status, JSON.stringify(body), headers);

async function said(status: number, body: string, headers = {}): Promise<unknown> {
  const response = new Response(body, { status, headers });
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

it("reads the status of a proxy's answer, and when it says to come back, before its body", async () => {
  const page = "<html><h1>Too Many Requests</h1></html>";
  expect(await said(429, page, { "Retry-After": "2" })).toBeInstanceOf(Busy);
  expect(await said(503, page, { "Retry-After": "2" })).toBeInstanceOf(Busy);
  for (const status of [200, 404, 408, 429, 500, 502])
    expect(await said(status, page), String(status)).toBeInstanceOf(Unreachable);
  // Asked again, these would be refused again.
  for (const status of [400, 403, 413]) {
    const error = await said(status, page);
    expect(error, String(status)).toBeInstanceOf(Refused);
    expect((error as Refused).message).toMatch(/the server's proxy|The server's proxy/i);
  }
  expect(isLong((await said(413, page)) as Refused)).toBe(true);
  // Of what was cut short nobody knows whose it was.
  const cut = { ok: false, status: 422, headers: new Headers(), text: () => Promise.reject(new TypeError("gone")) }; // prettier-ignore
  vi.stubGlobal("fetch", () => Promise.resolve(cut));
  await expect(createApi().models()).rejects.toBeInstanceOf(Unreachable);
});
