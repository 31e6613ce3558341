import type { Query } from "../types";

/** The question as a program asks it: what runs as it is pasted. */

/** A string for a POSIX shell: nothing has a meaning in single quotes but the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export const curl = (url: string, query: Query): string =>
  `curl -sS ${quoted(url)} \\
  -H 'Content-Type: application/json' \\
  --data-raw ${quoted(JSON.stringify(query))}
`;

/**
 * With Python's own library. A question holds strings, numbers, lists and tables: for these what JSON
 * writes is what Python reads.
 */
export const python = (url: string, query: Query): string => `import json
from urllib.request import Request, urlopen

question = ${JSON.stringify(query, null, 4)}
body = json.dumps(question).encode()
request = Request(${JSON.stringify(url)}, body, {"Content-Type": "application/json"})
with urlopen(request) as response:
    trace = json.load(response)

# For each timestep the three words that the network's own output, the last column, finds likeliest.
for token, cells in zip(trace["tokens"], trace["rows"]["top_ids"]):
    print(token["word"], [trace["words"][str(id)] for id in cells[-1][:3]])
`;
