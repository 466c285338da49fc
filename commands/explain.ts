import { messageForDocs } from '../src/errors/entry.ts'
import { catalogue, SvcError, type Code } from '../src/errors.ts'
import { suggest } from '../src/suggest.ts'
import { command } from '../cli/declare.ts'

/** What is known about a code: its kind, its facts for programs, its text for people. */
interface Explanation {
  readonly data: Readonly<Record<string, unknown>>
  readonly text: string
}

const codes = Object.keys(catalogue) as Code[]

const explainError = (code: Code): Explanation => {
  const { status, exit, hint } = catalogue[code]
  const message = messageForDocs(catalogue[code].message)
  return {
    data: { code, kind: 'error', message, hint, status, exitCode: exit },
    text: `${code}: an error\n\n${message}\n${hint}\n\nHTTP status ${status}, exit code ${exit}.\n`,
  }
}

// Loaded only where no error has the name: the rules bring the engine with them.
const lintRules = async () => (await import('../src/lint/rules.gen.ts')).rules

/** The rule that was probably meant. */
export const suggestRule = async (id: string): Promise<string | null> => suggest(id, Object.keys(await lintRules()))

/** What is known about a rule of the linter; null where there is none of that name. */
export const explainRule = async (id: string): Promise<Explanation | null> => {
  const rules = await lintRules()
  const it = Object.hasOwn(rules, id) ? rules[id] : undefined
  if (it === undefined) return null
  const { description = '', severity = 'warning', formats = [], given, documentationUrl = null, recommended, help } = it
  const { why = null, remedy = null, bad = null, good = null } = help ?? {}
  const where = formats.length === 0 ? 'documents of every kind' : formats.join(', ')
  const parts = [
    `${id}: a rule of "svc lint"`,
    [description, why].filter((part) => part !== null).join(' '),
    ...(bad === null ? [] : [`Not so:\n\n${indented(bad)}`]),
    ...(good === null ? [] : [`But so:\n\n${indented(good)}`]),
    ...Object.entries(help?.beside ?? {}).map(([file, text]) => `Beside it ${file}:\n\n${indented(text)}`),
    ...(remedy === null
      ? []
      : [`What to do: ${remedy}${it.fix === undefined ? '' : ' "svc lint --fix" does it where it is safe.'}`]),
    [
      `Severity ${severity}${recommended === false ? ', off unless a guide turns it on' : ''}; for ${where}.`,
      `Looks at ${given.join(', ')}`,
      ...(documentationUrl === null ? [] : [documentationUrl]),
    ].join('\n'),
  ]
  return {
    data: {
      code: id,
      kind: 'lint-rule',
      description,
      severity,
      formats,
      given,
      recommended: recommended !== false,
      why,
      bad: bad?.trim() ?? null,
      good: good?.trim() ?? null,
      remedy,
      fixable: it.fix !== undefined,
      documentationUrl,
    },
    text: `${parts.join('\n\n')}\n`,
  }
}

const indented = (text: string): string => text.trim().replaceAll(/^(?=.)/gm, '    ')

// What other tools call a rule is understood too: whoever comes from them searches for that.
const changeRules = async () => (await import('../src/diff/rules.ts')).rules

const explainChange = async (given: string): Promise<Explanation | null> => {
  const rules = await changeRules()
  const found = [...rules].find(([id, it]) => id === given || it.aliases?.includes(given) === true)
  if (!found) return null
  const [id, { title, explain, direction, opposite, aliases = [] }] = found
  const other = opposite === null || opposite === id ? '' : `\nOpposite change: ${opposite}.`
  const names = aliases.length === 0 ? '' : `\nNames in other tools: ${aliases.join(', ')}.`
  const where = direction === 'request' || direction === 'response' ? `, in ${direction}s` : ''
  return {
    data: { code: id, kind: 'change-rule', title, description: explain, direction, opposite, aliases },
    text: `${id}: a change rule of "svc diff"${where}\n\n${title}. ${explain}\n${other}${names}`.trimEnd() + '\n',
  }
}

export default command({
  summary: 'Say what a code means and what to do about it',
  description:
    'Explains an error code, a rule of the linter, or a change that a comparison tells of. Without a code, the error codes are listed.',
  examples: [
    'svc explain project-not-found',
    'svc explain operation-tags',
    'svc explain parameter-required-added',
    'svc explain',
  ],
  arguments: [{ name: 'code', summary: 'the code, as it stands in an error, a finding or a change' }],
  options: {},
  run: async ({ args }) => {
    const given = args.code
    if (given === undefined) {
      return { data: codes.map((code) => ({ code, exitCode: catalogue[code].exit })), text: `${codes.join('\n')}\n` }
    }
    const code = codes.find((it) => it === given)
    const found = code === undefined ? ((await explainRule(given)) ?? (await explainChange(given))) : explainError(code)
    if (found !== null) return found
    const near = suggest(given, [...codes, ...Object.keys(await lintRules()), ...(await changeRules()).keys()])
    const meant = near === null ? '; "svc explain" lists all error codes' : `; did you mean ${near}?`
    throw new SvcError('usage', { reason: `There is no code "${given}"${meant}` })
  },
})
