import { type GridRow, lineKey } from "../alignment";
import type { Trace } from "../types";

/** What of a row an answer made new. */
export interface RowChange {
  /** Its cells. */
  cells: boolean;
  /** Its token, and what came next. */
  ends: boolean;
}

/**
 * Remembers what each row was drawn from, and answers of new rows what has changed in them. The rows
 * that an answer did not send are the same objects as before: nothing to do.
 */
export function createChanges(): {
  of(lines: readonly GridRow[], traceOf: (line: GridRow) => Trace): RowChange[];
  forget(): void;
} {
  let before = new Map<string, { ids: unknown; bits: string; ends: string }>();
  return {
    of(lines, traceOf) {
      const now: typeof before = new Map();
      const changes = lines.map((line) => {
        const { step, t } = line;
        const is = {
          ids: traceOf(line).rows.top_ids[t],
          bits: step?.bits?.join() ?? "",
          ends: step ? `${step.op} ${step.first !== null} ${step.second !== null}` : "",
        };
        const key = lineKey(line);
        const was = before.get(key);
        now.set(key, is);
        const other = is.ids !== was?.ids;
        return { cells: other || is.bits !== was?.bits, ends: other || is.ends !== was?.ends };
      });
      before = now;
      return changes;
    },
    forget: () => before.clear(),
  };
}
