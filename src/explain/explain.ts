import { messageForDocs, messageForPeople } from '../errors/entry.ts'
import { catalogue, SvcError, type Code } from '../errors.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { fixOption } from '../lint/fix/fix.ts'
import { reportedCodes } from '../lint/reported.ts'
import { suggest } from '../kernel/suggest.ts'

/** What a code can be. */
export const explainedKinds = ['error', 'lint-rule', 'finding', 'change-rule', 'conversion-note', 'exit-code'] as const
type ExplainedKind = (typeof explainedKinds)[number]

/** What is known about a code: its kind and facts for programs, its text for people. */
export interface Explanation {
  readonly data: Readonly<Record<string, unknown>> & { readonly code: string | number; readonly kind: ExplainedKind }
  readonly text: string
}

const codes = Object.keys(catalogue) as Code[]

const exitName = (exit: number): string => exitCodes.find(({ code }) => code === exit)?.name ?? ''

const explainError = (code: Code): Explanation => {
  const { status, exit, hint } = catalogue[code]
  const message = messageForDocs(catalogue[code].message)
  return {
    data: { code, kind: 'error', message, hint, status, exitCode: exit },
    text: `${code}: an error code\n\n${[messageForPeople(catalogue[code].message), hint].filter((it) => it !== '').join('\n')}\n\nHTTP status ${status}, exit code ${exit} (${exitName(exit)}).\n`,
  }
}

// Loaded only where no error has the name: the rules bring the engine with them.
const lintRules = async () => (await import('../lint/rules.gen.ts')).rules

/** The lint rule whose id is nearest. */
export const suggestRule = async (id: string): Promise<string | null> => suggest(id, Object.keys(await lintRules()))

/** What is known about a lint rule; null where no rule has that id. */
export const explainRule = async (id: string): Promise<Explanation | null> => {
  const rules = await lintRules()
  const it = Object.hasOwn(rules, id) ? rules[id] : undefined
  if (it === undefined) return null
  const { description, severity = 'warning', formats = [], given, documentationUrl = null, recommended, help } = it
  const [why, remedy] = [help?.why ?? null, help?.remedy ?? null]
  const [bad, good] = [help?.bad ?? null, help?.good ?? null]
  const where = formats.length === 0 ? 'documents of every kind' : formats.join(', ')
  const parts = [
    `${id}: a rule of "svc lint"`,
    [description, why].filter((part) => part !== null).join(' '),
    ...(bad === null ? [] : [`Incorrect:\n\n${indented(bad)}`]),
    ...(good === null ? [] : [`Correct:\n\n${indented(good)}`]),
    ...Object.entries(help?.beside ?? {}).map(([file, text]) => `${file}:\n\n${indented(text)}`),
    ...(remedy === null
      ? []
      : [
          `What to do: ${remedy}${it.fix === undefined ? '' : ` "svc lint ${fixOption(it.fix)}" does it where that is safe.`}`,
        ]),
    [
      `Severity ${severity}${recommended === false ? ', off unless a guide turns it on' : ''}; for ${where}.`,
      `Paths: ${given.join(', ')}`,
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
      fixOption: it.fix === undefined ? null : fixOption(it.fix),
      documentationUrl,
    },
    text: `${parts.join('\n\n')}\n`,
  }
}

const indented = (text: string): string => text.trim().replaceAll(/^(?=.)/gm, '    ')

// The names of other tools are understood too: users of these tools search for them.
const changeRules = async () => (await import('../diff/rules.ts')).rules

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

const explainReported = (code: string): Explanation | null => {
  const it = Object.hasOwn(reportedCodes, code) ? reportedCodes[code] : undefined
  if (it === undefined) return null
  const { description, remedy } = it
  return {
    data: { code, kind: 'finding', description, remedy },
    text: `${code}: a finding of "svc lint" that no rule reports\n\n${description}\n\nWhat to do: ${remedy}\n`,
  }
}

const conversionNotes = async () => (await import('../convert/losses.ts')).conversionNotes

const explainNote = async (code: string): Promise<Explanation | null> => {
  const notes = await conversionNotes()
  const it = Object.hasOwn(notes, code) ? notes[code] : undefined
  if (it === undefined) return null
  const { title, explain: description, loss } = it
  const effect = loss ? 'Something is lost: "svc convert --fail-on-loss" fails.' : 'Nothing is lost.'
  return {
    data: { code, kind: 'conversion-note', title, description, loss },
    text: `${code}: a warning of "svc convert" and of imports\n\n${title}. ${description}\n\n${effect}\n`,
  }
}

/** What an exit code of the command line means; null for other numbers. */
const explainExit = (given: string): Explanation | null => {
  const it = exitCodes.find(({ code }) => String(code) === given)
  if (it === undefined) return null
  const causes = codes.filter((code) => catalogue[code].exit === it.code)
  const errors = it.code === 0 || causes.length === 0 ? '' : `\nErrors with this exit code: ${causes.join(', ')}.\n`
  return {
    data: { code: it.code, kind: 'exit-code', name: it.name, meaning: it.meaning, action: it.action, errors: causes },
    text: `${it.code}: exit code "${it.name}"\n\n${it.meaning}\n${it.action}\n${errors}`,
  }
}

/**
 * Explains an exit code, an error code, a lint rule, a change rule or a warning of a conversion.
 * @throws SvcError `usage` for an unknown one, with the nearest
 */
export const explain = async (given: string): Promise<Explanation> => {
  const code = codes.find((it) => it === given)
  const found =
    code === undefined
      ? (explainExit(given) ??
        (await explainRule(given)) ??
        (await explainChange(given)) ??
        (await explainNote(given)) ??
        explainReported(given))
      : explainError(code)
  if (found !== null) return found
  const near = suggest(given, [
    ...codes,
    ...Object.keys(reportedCodes),
    ...Object.keys(await lintRules()),
    ...(await changeRules()).keys(),
    ...Object.keys(await conversionNotes()),
  ])
  const meant = near === null ? '; "svc explain" lists all codes' : `; did you mean ${near}?`
  throw new SvcError('usage', { reason: `Unknown code "${given}"${meant}` })
}
