import { ofLabels, type Pair, type Query } from "../types";

/** The question as a program asks it: what runs as it is pasted. */

/** A string for a POSIX shell: nothing has a meaning in single quotes but the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export const curl = (url: string, question: Query | Pair): string =>
  `curl -sS ${quoted(url)} \\
  -H 'Content-Type: application/json' \\
  --data-raw ${quoted(JSON.stringify(question))}
`;

/** Its answer has the labels under the same name as words. */
const traceTold = (said: "words" | "labels") => `
# For each timestep the three ${said} that the network's own output, the last column, finds likeliest.
for token, cells in zip(trace["tokens"], trace["rows"]["top_ids"]):
    print(token["word"], [trace["words"][str(id)] for id in cells[-1][:3]])
`;

const COMPARISON = `
# For each pair of timesteps the column that tells the two texts apart most, and by how many bits.
for (first, second, what), bits in zip(comparison["alignment"], comparison["divergence"]):
    if bits is not None:
        words = [text[t]["word"] for text, t in zip(comparison["tokens"], (first, second))]
        column = comparison["columns"][bits.index(max(bits))]
        print(words, what, column["kind"], column["layer"], max(bits))
`;

/**
 * With Python's own library. A question holds strings, numbers, lists and tables: for these what JSON
 * writes is what Python reads.
 */
export function python(url: string, question: Query | Pair): string {
  const [answer, told] =
    "texts" in question
      ? ["comparison", COMPARISON]
      : ["trace", traceTold(ofLabels(question) ? "labels" : "words")];
  return `import json
from urllib.request import Request, urlopen

question = ${JSON.stringify(question, null, 4)}
body = json.dumps(question).encode()
request = Request(${JSON.stringify(url)}, body, {"Content-Type": "application/json"})
with urlopen(request) as response:
    ${answer} = json.load(response)
${told}`;
}
