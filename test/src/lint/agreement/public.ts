/** Published rulesets and documents, all of them development dependencies. Spectral's findings for each pair are recorded. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findGuide } from '../../../../cli/guide/find.ts'
import { readDocumentsOf } from '../../../../cli/input/documents.ts'
import { parseDocument } from '../../../../src/document/parse.ts'
import { lintAndWait } from '../../../../src/lint/lint.ts'
import { agreementRoot, lineOfFinding } from './pairs.ts'

/** One file for each ruleset: it extends what its package publishes. */
export const publicRoot = join(agreementRoot, 'public')
export const publicRulesets = readdirSync(publicRoot).toSorted()

const examples = join(agreementRoot, '../../../../node_modules/@readme/oas-examples')
/** Where the documents are: examples of OpenAPI 2.0, 3.0 and 3.1 that readme.com publishes. */
export const publicDocuments: Readonly<Record<string, string>> = Object.fromEntries(
  [
    '2.0/json/petstore.json',
    '2.0/yaml/api-with-examples.yaml',
    '3.0/json/http-status-codes.json',
    '3.0/json/link-example.json',
    '3.0/json/security.json',
    '3.0/json/uspto.json',
    '3.0/yaml/callbacks.yaml',
    '3.0/yaml/polymorphism.yaml',
    '3.1/json/train-travel.json',
    '3.1/yaml/webhooks.yaml',
  ].map((name) => [name, join(examples, name)]),
)

/** What svc finds with a published ruleset and its functions, by document, each in order. */
export async function publicLines(ruleset: string): Promise<ReadonlyMap<string, string[]>> {
  const around = { cwd: publicRoot, env: {}, globals: {}, signal: new AbortController().signal }
  const guide = await findGuide(ruleset, around as unknown as Parameters<typeof findGuide>[1], { runsFunctions: true })
  const found = new Map<string, string[]>()
  for (const [name, source] of Object.entries(publicDocuments)) {
    const document = parseDocument(readFileSync(source, 'utf8'), { source })
    const documents = await readDocumentsOf(document, { cwd: dirname(source), globals: { root: undefined } })
    const { findings } = await lintAndWait(document, guide.rulesFor(source), {
      documents,
      ...(guide.options === undefined ? {} : { guide: guide.options }),
    })
    found.set(name, findings.map(lineOfFinding).toSorted())
  }
  return found
}
