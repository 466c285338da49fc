import { compareContent } from '../content/compare.ts'
import type { Context } from '../context.ts'
import type { Answer, Operation } from '../model/api.ts'
import type { Policy } from '../profile.ts'
import { isSameValue } from '../sameness.ts'
import { compareHeader } from './headers.ts'

const isSuccess = (status: string): boolean =>
  status.startsWith('2') || status.startsWith('3') || status.startsWith('1')
const rangeOf = (status: string): string => `${status[0] ?? ''}XX`

type Answers = ReadonlyMap<string, Answer>

const statusesIn = (answers: Answers, range: string): readonly string[] =>
  [...answers.keys()].filter((it) => it !== range && it !== 'DEFAULT' && rangeOf(it) === range)

/**
 * What describes a status: its own entry, else its range, else `default` (Responses Object). Where successes are listed, the default
 * is what it nearly always is: the description of the errors.
 */
const describing = (answers: Answers, status: string): Answer | undefined => {
  const own = answers.get(status) ?? (status === 'DEFAULT' ? undefined : answers.get(rangeOf(status)))
  if (own || status === 'DEFAULT') return own
  return isSuccess(status) && [...answers.keys()].some((it) => it.startsWith('2')) ? undefined : answers.get('DEFAULT')
}

/**
 * Compares the responses of an operation. A status is compared with what described it before and describes it now, which can be a
 * range or the default on either side.
 */
export const compareAnswers = (
  context: Context,
  operation: string,
  base: Operation,
  head: Operation,
  flipped: boolean,
): void => {
  for (const status of [...new Set([...base.answers.keys(), ...head.answers.keys()])].sort()) {
    const [a, b] = [describing(base.answers, status), describing(head.answers, status)]
    if (a && b) compareAnswer(context, operation, a, b, flipped)
    if (!head.answers.has(status)) {
      // A range that is replaced by some of its statuses guarantees more than before.
      const narrowed = status.endsWith('XX') && statusesIn(head.answers, status).length > 0
      if (!narrowed) noteStatus(context, operation, status, base, head, b !== undefined)
    } else if (!base.answers.has(status)) noteStatus(context, operation, status, base, head, a !== undefined)
  }
}

/** Reports a status that one side lists and the other does not; `described` where a range or the default includes it there. */
const noteStatus = (
  context: Context,
  operation: string,
  status: string,
  base: Operation,
  head: Operation,
  described: boolean,
): void => {
  const success = isSuccess(status)
  const gone = base.answers.has(status)
  context.note(operation, {
    direction: 'response',
    area: 'status',
    kind: success ? 'success' : 'failure',
    action: gone ? 'removed' : 'added',
    base: base.answers.get(status)?.place ?? base.place,
    head: head.answers.get(status)?.place ?? head.place,
    subject: status === 'DEFAULT' ? 'default response' : `status ${status}`,
    before: gone ? status : null,
    after: gone ? null : status,
    // Of a success that became a range, clients do not know which status comes.
    breaking: gone && success,
    ...(gone && success ? { reason: 'clients expect this status' } : {}),
    ...statusPolicy(gone, success, described),
  })
}

/** The switch that decides about a status that one side lists. */
const statusPolicy = (gone: boolean, success: boolean, described: boolean): { readonly policy?: Policy } => {
  if (described) return gone && success ? { policy: 'response-status-widened' } : {}
  if (gone === success) return {}
  return { policy: gone ? 'response-non-success-status-removed' : 'response-success-status-added' }
}

const compareAnswer = (context: Context, operation: string, a: Answer, b: Answer, flipped: boolean): void => {
  context.docs(operation, a.place, b.place)
  // In Swagger 2.0 the media types of an answer are written elsewhere.
  const types = (answer: Answer): string => [...answer.content.keys()].join(' ')
  if (types(a) === types(b) && context.sameness.same(a.place.value, b.place.value)) return
  compareContent(context, operation, a.content, b.content, { direction: 'response', fromClient: flipped })
  for (const name of [...new Set([...a.headers.keys(), ...b.headers.keys()])].sort()) {
    compareHeader(context, operation, a, b, name, flipped)
  }
  for (const name of [...new Set([...a.links.keys(), ...b.links.keys()])].sort()) {
    const left = a.links.get(name)
    const right = b.links.get(name)
    if (isSameValue(left?.value, right?.value)) continue
    context.note(operation, {
      direction: 'response',
      area: 'link',
      kind: 'itself',
      action: left ? (right ? 'changed' : 'removed') : 'added',
      base: left ?? a.place,
      head: right ?? b.place,
      subject: `link \`${name}\` in the ${b.status} response`,
      before: left?.value ?? null,
      after: right?.value ?? null,
    })
  }
}
