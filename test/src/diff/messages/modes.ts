/** Compares pairs of schemas as such and as bodies of an API description: both have to say the same. */
import { diff } from '../../../../src/diff/diff.ts'
import { parseDocument } from '../../../../src/document/parse.ts'
import type { Json } from '../../../../src/kernel/json.ts'
import { Generator } from '../../schema/generate.ts'
import { withRequest, withResponse } from '../changes-of.ts'
import type { Random } from '../mutations.ts'
import type { MessagesTally, RefutedMessages } from './attack.ts'

const read = (document: Json) => parseDocument(JSON.stringify(document), { source: 'document.json' })

/** Of a schema without any value the comparison of an API description says that it is undecided. */
const isEmptied = /accepts nothing/

const judge = (base: Json, head: Json, direction: 'request' | 'response') => {
  const { verdict } = diff(read(base), read(head), { mode: direction === 'request' ? 'backward' : 'forward' })
  const make = direction === 'request' ? withRequest : withResponse
  const { changes } = diff(read(make(base)), read(make(head)), { profile: 'strict' })
  const found = changes.filter((it) => it.classification !== 'safe' && it.policy === undefined)
  const breaks = found.some((it) => it.classification === 'breaking')
  const isUndecided = found.some((it) => it.classification === 'unknown' && !isEmptied.test(it.message))
  const told = changes.map((it) => `${it.severity} ${it.classification} ${it.id}: ${it.message}`)
  const isRefuted = verdict === 'safe' && (breaks || isUndecided)
  return { verdict, told, why: isRefuted ? `the schemas are safe, and yet the ${direction} is not` : null }
}

/** Compares generated pairs of schemas in both ways until they differ; null where they agree. */
export const attackModes = (
  count: number,
  random: Random,
): { readonly tally: MessagesTally; readonly refuted: RefutedMessages | null } => {
  const generator = new Generator(random)
  const tally = { safe: 0, breaking: 0, unknown: 0, unproven: 0 }
  for (let done = 0; done < count; done++) {
    const [base, head] = generator.pair()
    // A reference begins at the whole document, which is another one here.
    if (JSON.stringify([base, head]).includes('"$')) continue
    const direction = generator.chance(0.5) ? 'request' : 'response'
    const { verdict, told, why } = judge(base, head, direction)
    tally[verdict]++
    if (why !== null) return { tally, refuted: { why, base, head, profile: 'strict', value: null, changes: told } }
  }
  return { tally, refuted: null }
}
