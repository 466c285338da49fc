/**
 * The parts of a policy that can decide one recorded request. Two policies with the same such parts treat the request alike, even where
 * the record does not say how.
 */
import { canonicalJson } from '../kernel/canonical.ts'
import type { Json } from '../kernel/json.ts'
import type { Steps } from '../regex/program.ts'
import type { RecordedEvent } from './event.ts'
import { covers } from './exception-check.ts'
import type { Exception, Rule } from './model.ts'
import { placeOf, recordOf, recordTruth, truthsFor, type Prepared } from './replay-outcome.ts'

const textOf = (value: unknown): string => canonicalJson(value as Json)

const ruleTexts = new WeakMap<Rule, string>()
function textOfRule(rule: Rule): string {
  const known = ruleTexts.get(rule)
  if (known !== undefined) return known
  const { id, action, expression, rate, groups } = rule
  const text = textOf({ id, action, expression, rate, groups })
  ruleTexts.set(rule, text)
  return text
}

const restTexts = new WeakMap<Prepared, string>()
/** Everything but rules and exceptions. */
function textOfRest(prepared: Prepared): string {
  const known = restTexts.get(prepared)
  if (known !== undefined) return known
  const { policy, modes, levels, documentId } = prepared
  const { presets, positive } = policy
  const text = textOf({ presets, modes, levels, positive, documentId })
  restTexts.set(prepared, text)
  return text
}

/** Whether an exception may be about the request, whatever matched. */
const mayCover = ({ scope }: Exception, event: RecordedEvent): boolean =>
  covers(
    { scope: { ...scope, field: null }, target: { groups: [], ruleRefs: ['any'] } },
    { ...placeOf(event), ruleRef: 'any', groupId: null },
  ) !== false

/** What of a policy is about a request, as texts that are the same for policies in which that is the same. */
export interface Relevant {
  /** The parts that can decide the request. */
  readonly decides: string
  /** That, and what only reports it. */
  readonly says: string
}

export function relevantOf(event: RecordedEvent, prepared: Prepared, steps?: Steps): Relevant {
  const recorded = recordOf(event)
  const record = { ...recorded, ...(steps === undefined ? {} : { steps }) }
  const truths = truthsFor(JSON.stringify(recorded), prepared)
  const exceptions = prepared.exceptions
    .filter((exception) => mayCover(exception, event))
    .map(({ scope, target }) => textOf({ scope, target }))
    .toSorted()
  const deciding: string[] = [prepared.policy.presets.bot, ...exceptions]
  const reporting: string[] = []
  for (const rule of prepared.rules) {
    const truth = recordTruth(rule, record, truths)
    if (truth === false) continue
    const texts = rule.action === 'log' ? reporting : deciding
    texts.push(textOfRule(rule))
    // Nothing after it is asked.
    if (truth === true && exceptions.length === 0 && (rule.action === 'allow' || rule.action === 'block')) {
      const decides = deciding.join('\n')
      return { decides, says: [decides, ...reporting].join('\n') }
    }
  }
  const decides = [...deciding, textOfRest(prepared)].join('\n')
  return { decides, says: [decides, ...reporting].join('\n') }
}

/** A text that is the same for policies that do the same to every request. */
export const effectiveText = (prepared: Prepared): string =>
  [
    ...prepared.rules.map(textOfRule),
    ...prepared.exceptions.map(({ scope, target }) => textOf({ scope, target })),
    textOfRest(prepared),
  ].join('\n')
