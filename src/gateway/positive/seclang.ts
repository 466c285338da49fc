/** Rules of SecLang as text. */
import type { PositiveCheck } from '../../gateway-policy/door.ts'
import { literal, type Alphabet } from '../pattern.ts'

/** One condition: what is looked at, how, and how it is prepared. */
export interface Condition {
  readonly variables: string
  readonly operator: string
  /** Transformations before the operator, as "urlDecode". */
  readonly transformations?: readonly string[]
  /** Whether the groups of the expression are kept for the next conditions. */
  readonly capture?: boolean
}

/** What a rule does when all of its conditions hold. */
export interface Refusal {
  readonly check: PositiveCheck
  readonly mode: 'log' | 'block'
  readonly status: number
  readonly message: string
  /** Whether the rule is left out where a release has no numbers for more. */
  readonly isSparable: boolean
}

export type Phase = 1 | 2 | 3 | 4 | 5

/**
 * A text of a document in an action. Quotes end a text, a percent sign begins a variable, a line ends a rule: such characters are written
 * as "~" and their hexadecimal number, as in tags of rules.
 */
const plain = (text: string): string =>
  text.replaceAll(/["'`\\%~]|\p{Cc}/gu, (it) => `~${(it.codePointAt(0) ?? 0).toString(16)}~`)

/** A name in the expression that selects members: a slash would end it. */
const selection = (name: string, alphabet: Alphabet): string => literal(name, alphabet).replaceAll('/', '\\x2f')

/** The name of one member of a collection, as in `ARGS_GET:limit`. */
export const memberOf = (collection: string, name: string, alphabet: Alphabet): string =>
  /^[\w.-]+$/.test(name) ? `${collection}:${name}` : `${collection}:/(?i)^${selection(name, alphabet)}$/`

/** The members of a collection whose names begin with a text. */
export const membersFrom = (collection: string, beginning: string, alphabet: Alphabet): string =>
  `${collection}:/(?i)^${selection(beginning, alphabet)}/`

/** Whether what matched is a value of the request that a log should name; a body as a whole is not. */
const hasValue = ({ variables }: Condition): boolean =>
  /^(?:ARGS|REQUEST_HEADERS|REQUEST_COOKIES|TX:[1-9]$)/.test(variables)

/** Collects rules, numbers them in order, and knows how many are left. */
export class Rules {
  private readonly lines: string[] = []
  private next: number
  private readonly last: number
  /** For each check how many rules did not fit. */
  readonly overflow = new Map<PositiveCheck, number>()

  /** @param last the last id for rules that can be spared; the others come after it */
  constructor(first: number, last: number) {
    this.next = first
    this.last = last
  }

  comment(text: string): void {
    this.lines.push(`# ${text.replaceAll(/\p{Cc}/gu, ' ')}`)
  }

  marker(name: string): void {
    this.lines.push(`SecMarker "${name}"`)
  }

  /** A rule that only leads on: actions run when all conditions hold. */
  flow(phase: Phase, conditions: readonly Condition[], actions: readonly string[]): void {
    this.write(phase, conditions, ['pass', 'nolog'], actions)
  }

  /** Refuses or logs when all conditions hold. */
  refuse(phase: Phase, conditions: readonly Condition[], refusal: Refusal): void {
    const { check, mode, status, message, isSparable } = refusal
    if (isSparable && this.next > this.last) {
      this.overflow.set(check, (this.overflow.get(check) ?? 0) + 1)
      return
    }
    const [last] = conditions.slice(-1)
    this.write(
      phase,
      conditions,
      [
        ...(mode === 'block' ? ['deny', `status:${status}`] : ['pass']),
        'log',
        'auditlog',
        `msg:'${plain(message)}'`,
        `tag:'svc/positive/${check}'`,
      ],
      last && hasValue(last) ? ["logdata:'found within %{MATCHED_VAR_NAME}: %{MATCHED_VAR}'"] : [],
    )
  }

  private write(
    phase: Phase,
    conditions: readonly Condition[],
    head: readonly string[],
    actions: readonly string[],
  ): void {
    const id = this.next++
    if (conditions.length === 0) {
      this.lines.push(`SecAction "id:${id},phase:${phase},${[...head, ...actions].join(',')}"`)
      return
    }
    // Actions are on the last link, because those of the others run as soon as that link holds; only where the
    // request continues is said by the first one, which waits for all.
    const ending = actions.filter((it) => it.startsWith('skipAfter:'))
    const doing = actions.filter((it) => !it.startsWith('skipAfter:'))
    conditions.forEach(({ variables, operator, transformations = [], capture = false }, i) => {
      const isLast = i === conditions.length - 1
      const written = [
        ...(i === 0 ? [`id:${id}`, `phase:${phase}`, ...head, ...ending] : []),
        't:none',
        ...transformations.map((it) => `t:${it}`),
        ...(capture ? ['capture'] : []),
        ...(isLast ? doing : ['chain']),
      ]
      this.lines.push(`${i === 0 ? '' : '  '}SecRule ${variables} "${operator}" "${written.join(',')}"`)
    })
  }

  get count(): number {
    return this.lines.length
  }

  text(): string {
    return this.lines.length === 0 ? '' : `${this.lines.join('\n')}\n`
  }
}
