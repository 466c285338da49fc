/** Inputs made to take long, in one process: patterns, templates and depth of JSON. Each has a bound of its own. */
import { checkTemplate } from '../src/change-report/template.ts'
import { nestsDeeperThan } from '../src/document/json-depth.ts'
import { parseDocument } from '../src/document/parse.ts'
import { lint } from '../src/lint/lint.ts'
import { readRuleset } from '../src/lint/read-ruleset.ts'
import { selectRules } from '../src/lint/ruleset.ts'
import { Pattern } from '../src/regex/pattern.ts'
import { median, type Measurement } from './measure.ts'

const runs = 5
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const patterns: readonly (readonly [source: string, text: string])[] = [
  ['^(a+)+$', `${'a'.repeat(50_000)}b`],
  ['^(a|aa)+$', `${'a'.repeat(5000)}b`],
  ['(x+x+)+y', 'x'.repeat(2000)],
  ['a*a*a*a*a*a*a*b', 'a'.repeat(5000)],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(5000)],
  ['^[a-z]+(-[a-z]+)*$', `${'abc-'.repeat(100_000)}abc`],
  ['^(?=(a+)+$)a', `${'a'.repeat(3000)}b`],
  ['^(a+)+\\1$', `${'a'.repeat(60)}b`],
]

const templates: readonly string[] = [
  `{{${' '.repeat(99_998)}`,
  '{{'.repeat(50_000),
  '{{#from}}'.repeat(11_000),
  '{{#breaking}}{{/breaking}}'.repeat(3800),
  ' \n'.repeat(50_000),
]

const nested: readonly string[] = [
  '['.repeat(10_000_000),
  JSON.stringify(['"\\'.repeat(2_000_000)]),
  `"${'\\'.repeat(10_000_000)}`,
]

/** Lints a title of 41 characters with a pattern of exponentially many ways to match. */
async function lintHostile(): Promise<() => void> {
  const ruleset = `rules: { r: { given: $.info.title, then: { function: pattern, functionOptions: { match: '^(a+)+$' } } } }`
  const { guide } = await readRuleset(parseDocument(ruleset, { source: 'rules.yaml' }), async () => null)
  const document = parseDocument(`openapi: 3.1.0\ninfo: { title: "${'a'.repeat(40)}!" }\npaths: {}`, { source: 'api' })
  return () => void lint(document, selectRules(guide, 'api'))
}

function row(name: string, bound: number, work: () => void): Measurement {
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    const begun = performance.now()
    work()
    times.push(performance.now() - begun)
  }
  return { name, ours: median(times), unit: 'ms', reference: bound, referenceName: 'the bound', goal: `≤ ${bound} ms` }
}

/** The median time of hostile inputs: each pattern, all templates together, and 30 MB of brackets and quotes. */
export async function hostile(): Promise<readonly Measurement[]> {
  return [
    ...patterns.map(([source, text]) =>
      row(`/${source}/ on ${text.length} characters`, 3000, () => void new Pattern(source).test(text)),
    ),
    row('lint with a hostile pattern', 500, await lintHostile()),
    row('templates of the longest size', 2000, () => {
      for (const body of templates) checkTemplate({ header: '', body, footnote: '' })
    }),
    row('depth of 30 MB of JSON', 1500, () => {
      for (const text of nested) nestsDeeperThan(bytes(text), 1_000_000_000)
    }),
  ]
}
