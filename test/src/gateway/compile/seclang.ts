/** Reads SecLang strictly, as a test of what the compiler writes: whatever a policy says, a file contains nothing but these shapes. */
import type { Compiled } from '../../../../src/gateway/compile/index.ts'

export interface Directive {
  readonly name: string
  readonly target: string
  readonly operator: string
  readonly actions: readonly { readonly name: string; readonly value: string }[]
  readonly rest: string
}

/** What an engine replaces in texts of ours, and nothing else. */
const macros = /%\{(?:MATCHED_VAR|MATCHED_VAR_NAME|REQUEST_METHOD|tx\.[\w.-]+|TX\.[\w.-]+)\}/g

/** Splits actions at commas outside of single quotes. */
function actionsOf(text: string): Directive['actions'] {
  return [...text.matchAll(/([A-Za-z]+)(?::((?:[^,']|'[^']*')*))?(?:,|$)/g)].map(([, name = '', value = '']) => ({
    name,
    value: value.replaceAll("'", ''),
  }))
}

/** @throws Error where a line is none of the shapes that the compiler writes */
export function readSecLang(text: string): Directive[] {
  return text.split('\n').flatMap((line): Directive[] => {
    // A comment must not go on in the next line, nor a line be longer than Coraza reads.
    if (line.endsWith('\\') || line.includes('`') || Buffer.byteLength(line) > 60_000 || /[^\P{Cc}]/u.test(line))
      throw new Error(`unexpected line: ${line.slice(0, 200)}`)
    if (line === '' || line.startsWith('#')) return []
    const actionsText = /"([^"]*)"$/.exec(line)?.[1] ?? ''
    if (/^ *Sec(?:Rule|Action) /.test(line) && actionsText.replaceAll(macros, '').includes('%'))
      throw new Error(`the begin of a macro: ${line.slice(0, 200)}`)
    const rule = /^ *SecRule (\S+) "([^"]+)" "([^"]+)"$/.exec(line)
    if (rule !== null) {
      const [, target = '', operator = '', actions = ''] = rule
      return [{ name: 'SecRule', target, operator, actions: actionsOf(actions), rest: '' }]
    }
    const action = /^SecAction "([^"]+)"$/.exec(line)
    if (action !== null)
      return [{ name: 'SecAction', target: '', operator: '', actions: actionsOf(action[1] ?? ''), rest: '' }]
    const plain =
      /^(SecDefaultAction|Include|SecRuleRemoveByTag|SecRuleRemoveById|Sec[A-Z][A-Za-z]+) ([\w ./@*",:-]+)$/.exec(line)
    if (plain === null) throw new Error(`unexpected line: ${line.slice(0, 200)}`)
    return [{ name: plain[1] ?? '', target: '', operator: '', actions: [], rest: plain[2] ?? '' }]
  })
}

export const fileOf = ({ files }: Compiled, path: string): string => {
  const found = files.find((it) => it.path === path)
  if (found === undefined) throw new Error(path)
  return found.text
}

/** The lines of a file that say something. */
export const linesOf = (compiled: Compiled, path: string): string[] =>
  fileOf(compiled, path)
    .split('\n')
    .filter((it) => it !== '' && !it.startsWith('#'))

/** The directives of all files, in the order in which an engine reads them. */
export const directivesOf = (compiled: Compiled): Directive[] =>
  readSecLang(fileOf(compiled, 'svc.conf')).flatMap((it) =>
    it.name === 'Include' && !it.rest.includes('/') ? readSecLang(fileOf(compiled, it.rest)) : [it],
  )

/** The numbers of rules, in their order. */
export const idsOf = (compiled: Compiled): number[] =>
  directivesOf(compiled).flatMap(({ actions }) =>
    actions.filter(({ name }) => name === 'id').map(({ value }) => Number(value)),
  )
