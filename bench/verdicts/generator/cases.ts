/** All cases of a seed. */
import type { MadeCase } from '../case.ts'
import { compositions } from './compositions.ts'
import { hostileCases } from './hostile.ts'
import { keywordAtoms } from './keyword-atoms.ts'
import { messageAtoms } from './message-atoms.ts'
import { Random } from './random.ts'
import { realCases } from './real.ts'
import { schemaCases } from './schema-cases.ts'
import { silenceCases } from './silence.ts'

/** The seed of the published cases: the year and the rotation. */
export const publishedSeed = '2026-1'

/** Every case that a seed makes. @throws Error where two have one id. */
export function casesOf(seed: string): MadeCase[] {
  const made = [keywordAtoms, messageAtoms, compositions, realCases, silenceCases, schemaCases, hostileCases].flatMap(
    (make) => make(seed),
  )
  const seen = new Set<string>()
  const twice = made.map(({ id }) => id).filter((id) => seen.size === seen.add(id).size)
  if (twice.length > 0) throw new Error(`These ids occur twice: ${twice.join(', ')}`)
  return made
}

/** The cases that are held out: half as many as are published, chosen by their seed, so a third of all. */
export function heldOutOf(seed: string): MadeCase[] {
  const made = casesOf(seed)
  return new Random(`${seed}/held out`).shuffle(made).slice(0, Math.floor(made.length / 2))
}
