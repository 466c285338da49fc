/**
 * Counts agreement with recorded expectations: `bun scripts/conformance-lint.ts FOLDER [SUITE] [--show]`. The folder holds
 * `spectral-cases.json`: cases of a ruleset (or function, or path) and a document, each with the expected findings.
 */
import { join } from 'node:path'
import type { Document } from '../src/document/document.ts'
import { isObject, type Json, type JsonObject } from '../src/kernel/json.ts'
import { parseDocument } from '../src/document/parse.ts'
import { getPath } from '../src/kernel/pointer.ts'
import { severities } from '../src/lint/finding.ts'
import { parsePath } from '../src/lint/jsonpath/path.ts'
import { PathSet, placeOf, rootNode } from '../src/lint/jsonpath/walk.ts'
import { lint } from '../src/lint/lint.ts'
import { readRuleset, type RulesetLoader } from '../src/lint/read-ruleset.ts'
import { rules } from '../src/lint/rules.gen.ts'
import { selectRules } from '../src/lint/ruleset.ts'

interface Expected {
  readonly code: string
  readonly path: readonly (string | number)[]
  readonly severity: number
  readonly message: string
  readonly range?: unknown
}
interface Case {
  readonly id: string
  readonly suite: string
  readonly name?: string
  readonly ruleset?: JsonObject
  readonly rulesetRef?: string
  readonly filterCode?: string
  readonly document?: { readonly kind: 'data' | 'text'; readonly data?: Json; readonly text?: string }
  readonly golden?: readonly Expected[]
  readonly goldenPaths?: readonly (readonly (string | number)[])[]
  readonly expr?: string
  readonly function?: string
  readonly target?: Json
  readonly rulesetErrors?: readonly { readonly path: readonly (string | number)[] }[]
}
interface Cases {
  readonly rulesetFiles: Readonly<Record<string, string | JsonObject>>
  readonly cases: readonly Case[]
}

const [folder = '.', wanted] = process.argv.slice(2).filter((it) => !it.startsWith('--'))
const levels = ['same', 'message', 'range'] as const
const show =
  levels.find((it) => process.argv.includes(`--show=${it}`)) ?? (process.argv.includes('--show') ? 'same' : null)
const { rulesetFiles, cases } = (await Bun.file(join(folder, 'spectral-cases.json')).json()) as Cases

const asDocument = (source: string, value: string | Json): Document =>
  parseDocument(typeof value === 'string' ? value : JSON.stringify(value), { source })

const load: RulesetLoader = (name, from) => {
  const path = join(from, '..', name)
  const file = rulesetFiles[path]
  return Promise.resolve(file === undefined ? null : { document: asDocument(path, file) })
}

const comparable = (list: readonly Expected[], more: (it: Expected) => readonly unknown[]): string =>
  list
    .map((it) => JSON.stringify([it.code, it.path.map(String), ...more(it)]))
    .sort()
    .join('\n')

const readGuide = async (entry: Case) => {
  const ref = entry.rulesetRef
  const document =
    ref === undefined ? asDocument('rules.json', entry.ruleset ?? {}) : asDocument(ref, rulesetFiles[ref] ?? {})
  return readRuleset(document, load)
}

function pathsOf(entry: Case): string {
  const document = asDocument('data.json', entry.document?.data ?? null)
  const found: string[] = []
  new PathSet([parsePath(entry.expr ?? '$')]).walk(rootNode(document.value, document), null, (_, node) =>
    found.push(JSON.stringify(placeOf(node).map(String))),
  )
  return [...new Set(found)].sort().join('\n')
}

type Outcome = Readonly<Record<'same' | 'message' | 'range', boolean>> & { readonly got: string; readonly want: string }

const verdict = (got: string, want: string): Outcome => ({
  same: got === want,
  message: got === want,
  range: got === want,
  got,
  want,
})

/** The rules of ours that do what a function of Spectral's rulesets does. */
const byFunction: Readonly<Record<string, string>> = {
  arazzoDocumentSchema: 'arazzo-document-schema',
  arazzoStepFailureActionsValidation: 'arazzo-step-failure-actions-validation',
  arazzoStepIdUniqueness: 'arazzo-workflow-stepId-unique',
  arazzoStepOutputNamesValidation: 'arazzo-step-output-validation',
  arazzoStepParametersValidation: 'arazzo-step-parameters-validation',
  arazzoStepRequestBodyValidation: 'arazzo-step-request-body-validation',
  arazzoStepSuccessActionsValidation: 'arazzo-step-success-actions-validation',
  arazzoStepValidation: 'arazzo-step-validation',
  arazzoWorkflowDependsOnValidation: 'arazzo-workflow-depends-on-validation',
  arazzoWorkflowIdUniqueness: 'arazzo-workflowId-unique',
  arazzoWorkflowOutputNamesValidation: 'arazzo-workflow-output-validation',
  typedEnum: 'typed-enum',
}

/** A function alone: its rule is put to the whole target, whatever the target says it is. */
function runFunction(entry: Case): Outcome | null {
  const id = byFunction[entry.function ?? '']
  const found = id === undefined ? undefined : rules[id]
  if (id === undefined || found === undefined) return null
  const { formats: _, ...rule } = found
  const value = entry.target ?? null
  const marked = entry.suite === 'arazzo-function' && isObject(value) ? { arazzo: '1.0.0', ...value } : value
  const { findings } = lint(asDocument('document', marked), { [id]: { ...rule, given: ['$'] } })
  const got = findings
    .filter(({ code }) => code === id)
    .map(({ path, message }) => ({ code: id, path, message, severity: 0 }))
  // A finding at a place that is not there is at the nearest one that is.
  const nearest = (path: Expected['path']) =>
    path.slice(0, path.findIndex((_, at) => getPath(marked, path.slice(0, at + 1)) === undefined) >>> 0)
  const want = (entry.golden ?? []).map((one) => ({ ...one, path: nearest(one.path), code: id, severity: 0 }))
  const texts = [got, want].map((list) => comparable(list, (one) => [one.message])) as [string, string]
  const places = [got, want].map((list) => comparable(list, () => []))
  return { same: places[0] === places[1], message: texts[0] === texts[1], range: true, got: texts[0], want: texts[1] }
}

async function runCase(entry: Case): Promise<Outcome | null> {
  if (entry.expr !== undefined) {
    const want = [...new Set((entry.goldenPaths ?? []).map((path) => JSON.stringify(path.map(String))))]
      .sort()
      .join('\n')
    return verdict(pathsOf(entry), want)
  }
  if (entry.ruleset === undefined && entry.rulesetRef === undefined) return runFunction(entry)
  const { guide, problems } = await readGuide(entry)
  if (entry.rulesetErrors !== undefined) {
    const paths = (list: readonly { readonly path: readonly (string | number)[] }[]) =>
      [...new Set(list.map(({ path }) => path.join('/')))].sort().join('\n')
    return verdict(paths(problems), paths(entry.rulesetErrors))
  }
  const { document } = entry
  const text = document?.kind === 'text' ? (document.text ?? '') : JSON.stringify(document?.data ?? null)
  const result = lint(parseDocument(text, { source: 'document' }), selectRules(guide, 'document'), {
    guide: guide.options,
  })
  // Cases of one rule, and what other rules say beside it, are compared by that rule alone.
  const only = (list: readonly Expected[]) =>
    list.filter(({ code }) => entry.filterCode === undefined || code === entry.filterCode)
  const got = only(result.findings.map((one) => ({ ...one, severity: severities.indexOf(one.severity) })))
  const want = only(entry.golden ?? [])
  const by = (more: (one: Expected) => readonly unknown[]) => comparable(got, more) === comparable(want, more)
  return {
    same: by((one) => [one.severity]),
    message: by((one) => [one.severity, one.message]),
    range: want.every((one) => one.range === undefined) || by((one) => [one.range]),
    got: comparable(got, (one) => [one.severity, one.message, ...(show === 'range' ? [one.range] : [])]),
    want: comparable(want, (one) => [one.severity, one.message, ...(show === 'range' ? [one.range] : [])]),
  }
}

const score = new Map<string, { all: number; same: number; message: number; range: number; skipped: number }>()
for (const it of cases) {
  if (wanted !== undefined && it.suite !== wanted && it.id !== wanted) continue
  const own = score.get(it.suite) ?? { all: 0, same: 0, message: 0, range: 0, skipped: 0 }
  score.set(it.suite, own)
  const outcome = await runCase(it).catch((error: unknown) => verdict(String(error), ''))
  if (outcome === null) {
    own.skipped++
    continue
  }
  own.all++
  for (const key of ['same', 'message', 'range'] as const) if (outcome[key]) own[key]++
  if (show !== null && !outcome[show])
    console.log(`${it.id} ${it.name ?? it.expr ?? it.filterCode ?? ''}\n  got  ${outcome.got}\n  want ${outcome.want}`)
}
console.table(Object.fromEntries(score))
