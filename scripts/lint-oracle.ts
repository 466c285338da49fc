/**
 * Compares findings with Spectral's: `bun scripts/lint-oracle.ts FOLDER [--cases N] [--seed N]` for rulesets and documents
 * that are generated, or `bun scripts/lint-oracle.ts FOLDER --guide RULESET FILE...` for given ones. FOLDER is where
 * `npm install @stoplight/spectral-cli @stoplight/spectral-core` was run; nothing of it belongs to this project.
 */
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import fc from 'fast-check'
import { findGuide } from '../cli/guide/find.ts'
import { readDocumentsOf } from '../cli/input/documents.ts'
import { parseDocument } from '../src/document/parse.ts'
import { serializeYaml } from '../src/document/serialize.ts'
import { severities, type Finding } from '../src/lint/finding.ts'
import { lint, lintAndWait } from '../src/lint/lint.ts'
import { readRuleset } from '../src/lint/read-ruleset.ts'
import { selectRules } from '../src/lint/ruleset.ts'
import { oracleCase, type OracleCase } from './oracle/cases.ts'
import { Oracle, type Said } from './oracle/spectral.ts'

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`)
  return at === -1 ? undefined : process.argv[at + 1]
}
const folder = process.argv[2] ?? '.'
const oracle = new Oracle(folder)

const printed = (said: Said): string => {
  if (said.code === 'invalid-ref') return `${said.code} ${said.message}`
  const { start, end } = said.range
  const place = `${start.line}:${start.character}-${end.line}:${end.character}`
  return `${said.severity} ${said.code} ${JSON.stringify(said.path.map(String))} ${place} ${said.message}`
}
const isBroken = (line: string): boolean => line.startsWith('invalid-ref')
const asSaid = (it: Finding): Said => ({ ...it, severity: severities.indexOf(it.severity) })

const textOf = ({ document, style }: OracleCase): string =>
  style === 'yaml' ? serializeYaml(document) : JSON.stringify(document, null, style === 'json' ? undefined : 2)

const source = '/svc-oracle/api/doc.yaml'
const rulesetSource = '/svc-oracle/rules.yaml'

async function ours(oracleCase: OracleCase): Promise<string[]> {
  const ruleset = parseDocument(JSON.stringify(oracleCase.ruleset), { source: rulesetSource })
  const { guide, problems } = await readRuleset(ruleset, () => Promise.resolve(null))
  if (problems.length > 0) return problems.map(({ message, path }) => `ruleset: ${path.join('/')}: ${message}`)
  const document = parseDocument(textOf(oracleCase), { source })
  return lint(document, selectRules(guide, source), { guide: guide.options }).findings.map((one) =>
    printed(asSaid(one)),
  )
}

async function theirs(oracleCase: OracleCase): Promise<string[] | null> {
  try {
    return (await oracle.run(oracleCase.ruleset, textOf(oracleCase), source, rulesetSource)).map(printed)
  } catch (error) {
    if (process.argv.includes('--errors'))
      console.log(
        'Spectral:',
        String(error),
        error instanceof AggregateError ? error.errors.map(String).join(' | ') : '',
        JSON.stringify(oracleCase.ruleset).slice(0, 500),
      )
    return null
  }
}

async function generated(): Promise<void> {
  const numRuns = Number(option('cases') ?? 1000)
  let refused = 0
  let findings = 0
  let broken = 0
  const property = fc.asyncProperty(oracleCase, async (entry) => {
    const want = await theirs(entry)
    if (want === null) return void refused++
    const got = await ours(entry)
    // What Spectral makes of a reference that cannot be resolved depends on where it is: that it is reported is enough.
    if (want.some(isBroken) && got.some(isBroken)) return void broken++
    findings += want.length
    if (got.join('\n') !== want.join('\n')) {
      const onlyOurs = got.filter((line) => !want.includes(line))
      const onlyTheirs = want.filter((line) => !got.includes(line))
      throw new Error(
        `text:\n${textOf(entry)}\nours alone:\n  ${onlyOurs.join('\n  ')}\nSpectral alone:\n  ${onlyTheirs.join('\n  ')}\n${onlyOurs.length + onlyTheirs.length === 0 ? `order or number:\n${got.join('\n')}\n--\n${want.join('\n')}` : ''}`,
      )
    }
  })
  const seed = Number(option('seed') ?? Date.now() % 1_000_000)
  const result = await fc.check(property, { numRuns, seed, endOnFailure: false })
  const said = result.failed ? 'failed' : 'agreed'
  console.log(
    `${result.numRuns} cases, seed ${seed}: ${said} on ${findings} findings; ${refused} that Spectral itself refused, ${broken} with references that lead nowhere`,
  )
  if (!result.failed) return
  console.log(JSON.stringify(result.counterexample?.[0]?.ruleset, null, 1))
  console.log(String(result.errorInstance))
  process.exit(1)
}

async function given(guide: string, files: readonly string[]): Promise<void> {
  const around = {
    cwd: process.cwd(),
    env: process.env,
    signal: new AbortController().signal,
  } as unknown as Parameters<typeof findGuide>[1]
  const chosen = await findGuide(guide, around, { runsFunctions: true })
  const texts = files.map((file) => ({ text: readFileSync(file, 'utf8'), source: resolve(file) }))
  const all = await oracle.runFile(guide, texts)
  for (const [index, { text, source: name }] of texts.entries()) {
    const document = parseDocument(text, { source: name })
    const documents = await readDocumentsOf(document, { cwd: dirname(name), globals: { root: undefined } })
    const { findings } = await lintAndWait(document, chosen.rulesFor(files[index] ?? name), {
      documents,
      ...(chosen.options === undefined ? {} : { guide: chosen.options }),
    })
    const got = findings.map((it) => printed(asSaid(it)))
    const want = (all[index] ?? []).map(printed)
    const [mine, its] = [new Set(got), new Set(want)]
    const onlyOurs = got.filter((it) => !its.has(it))
    const onlyTheirs = want.filter((it) => !mine.has(it))
    console.log(
      `${files[index]}: ${want.length} of Spectral, ${got.length} of ours, ${want.length - onlyTheirs.length} equal`,
    )
    const most = Number(option('show') ?? 5)
    for (const line of onlyOurs.slice(0, most)) console.log(`  ours alone      ${line.slice(0, 300)}`)
    for (const line of onlyTheirs.slice(0, most)) console.log(`  Spectral alone  ${line.slice(0, 300)}`)
  }
}

const guide = option('guide')
if (guide === undefined) await generated()
else
  await given(
    join(guide),
    process.argv
      .slice(process.argv.indexOf('--guide') + 2)
      .filter((it, at, all) => !it.startsWith('--') && !(all[at - 1] ?? '').startsWith('--')),
  )
