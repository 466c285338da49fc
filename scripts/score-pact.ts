/**
 * Scores the import of contract-test documents against a folder of fixtures of a comparator: in each subfolder `oas.yaml`,
 * `pact.json` and `results.json` with its findings.
 *
 *   bun scripts/score-pact.ts FOLDER [SPECIFICATION-FOLDER]
 *
 * Every path, method and status that a fixture uses and its document lacks has to be unresolved, and a fixture without
 * findings must leave no operation unresolved. The second folder holds cases of the Pact specification, which have to be
 * read.
 */
import { readPact } from '../src/contracts/pact.ts'
import { resolvePact } from '../src/contracts/pact-import.ts'
import { Specification } from '../src/contracts/specification.ts'
import type { Json } from '../src/document/json.ts'
import { parseDocument } from '../src/document/parse.ts'

const [folder, cases] = process.argv.slice(2)
if (folder === undefined) {
  console.error('usage: bun scripts/score-pact.ts FOLDER [SPECIFICATION-FOLDER]')
  process.exit(2)
}
const read = async (path: string): Promise<string> => Bun.file(path).text()
const onOperations = new Set(['operation-not-found', 'operation-retired', 'method-not-found', 'ambiguous-path'])
const lacking: Readonly<Record<string, string>> = {
  'request.path-or-method.unknown': 'operation',
  'response.status.unknown': 'status-not-declared',
}

let failures = 0
const fail = (line: string): void => {
  failures++
  console.log(`FAIL ${line}`)
}
const folders = [...new Bun.Glob('*/pact.json').scanSync({ cwd: folder })].map((it) => it.split('/')[0]!).sort()
for (const name of folders) {
  const pact = readPact(JSON.parse(await read(`${folder}/${name}/pact.json`)) as Json)
  if (typeof pact === 'string') {
    fail(`${name}: ${pact}`)
    continue
  }
  const document = parseDocument(await read(`${folder}/${name}/oas.yaml`), { source: name })
  const { unresolved, contract } = resolvePact(pact, new Specification(document))
  const results = JSON.parse(await read(`${folder}/${name}/results.json`)) as {
    code: string
    mockDetails?: { interactionDescription?: string; location?: string }
  }[]
  for (const result of results) {
    const expected = lacking[result.code]
    if (expected === undefined) continue
    const described = result.mockDetails?.interactionDescription
    const hit = unresolved.some(
      (it) =>
        (described === undefined || it.interaction === described) &&
        (expected === 'operation' ? onOperations.has(it.reason) : it.reason === expected),
    )
    if (!hit) fail(`${name}: ${result.code} of "${described}" is not unresolved`)
  }
  const lost = unresolved.filter((it) => onOperations.has(it.reason))
  const expectedLost = results.filter((it) => lacking[it.code] === 'operation').length
  if (lost.length > 0 && expectedLost === 0)
    for (const it of lost) fail(`${name}: "${it.interaction}" ${it.reason} ${it.method} ${it.path}`)
  const counts = unresolved.map((it) => it.reason)
  const summary = [...new Set(counts)].map((reason) => `${reason} ${counts.filter((it) => it === reason).length}`)
  console.log(`${name}: ${contract.operations.length} operations; ${summary.join(', ') || 'all resolved'}`)
}
if (cases !== undefined) {
  let count = 0
  for (const path of new Bun.Glob('**/*.json').scanSync({ cwd: cases })) {
    const one = JSON.parse((await read(`${cases}/${path}`)).replace(/^\uFEFF/, '')) as Record<string, Json>
    const part = path.includes('/response/') ? 'response' : 'request'
    for (const side of ['expected', 'actual']) {
      const interaction = path.includes('/message/')
        ? { type: 'Asynchronous/Messages', description: path, contents: one[side] ?? null }
        : { description: path, request: {}, [part]: one[side] ?? null }
      const pact = readPact({ consumer: { name: 'c' }, interactions: [interaction] })
      const good = typeof pact !== 'string' && pact.interactions.length + pact.unsupported.length === 1
      if (!good || (!path.includes('/message/') && pact.interactions.length !== 1))
        fail(`${path} (${side}) is not read`)
    }
    count++
  }
  console.log(`${count} cases of the Pact specification`)
}
console.log(failures === 0 ? 'all as expected' : `${failures} failures`)
process.exit(failures === 0 ? 0 : 1)
