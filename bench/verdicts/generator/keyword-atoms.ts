/** Atoms of schemas: one keyword that narrows or widens the body of a request or response. */
import type { MadeCase } from '../case.ts'
import { bodyDocument } from './documents.ts'
import type { Narrowing } from './narrowings.ts'
import { Random } from './random.ts'
import { keywordsOf, placed, versions, type Version } from './schemas.ts'

export const samples = 10_000

export const kebab = (keyword: string): string =>
  keyword.replace('$', '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The case of a narrowing in one direction: narrowed requests and widened responses break, the opposite is safe. */
export function bodyCase(
  head: { readonly id: string; readonly track: MadeCase['track']; readonly source: string },
  version: Version,
  direction: 'request' | 'response',
  way: 'narrowed' | 'widened',
  narrowing: Narrowing,
  path: string,
): MadeCase {
  const document = bodyDocument(direction)
  const wide = document(version, path, narrowing.wide, narrowing.wideDefs)
  const narrow = document(version, path, narrowing.narrow, narrowing.narrowDefs)
  const [base, after] = way === 'narrowed' ? [wide, narrow] : [narrow, wide]
  const isBreaking = (direction === 'request') === (way === 'narrowed')
  const sender = direction === 'request' ? 'base' : 'head'
  const receiver = direction === 'request' ? 'head' : 'base'
  return {
    ...head,
    direction,
    verdict: isBreaking ? 'breaking' : 'safe',
    certificate: isBreaking
      ? { accepts: sender, refuses: receiver, value: narrowing.witness }
      : { reason: narrowing.reason, samples },
    base,
    head: after,
  }
}

/** Both directions of both ways in 2.0, 3.0 and 3.1; in 3.2, whose dialect is that of 3.1, one way of each direction. */
export function keywordAtoms(seed: string): MadeCase[] {
  const made: MadeCase[] = []
  for (const version of versions)
    for (const [keyword, make] of Object.entries(keywordsOf[version]))
      for (const direction of ['request', 'response'] as const)
        for (const way of ['narrowed', 'widened'] as const) {
          const id = `${version.replace('.', '-')}-${kebab(keyword)}-${way}-${direction}`
          const random = new Random(`${seed}/${version}/${keyword}/${direction}`)
          // Of every seed the same way: the names of cases stay.
          const isLeftOut =
            version === '3.2' && new Random(`${keyword}/${direction}`).next() < 0.5 === (way === 'narrowed')
          if (isLeftOut) continue
          const narrowing = placed(random, make(random))
          const head = {
            id,
            track: 'atoms' as const,
            source: `generator, keyword ${keyword} of OpenAPI ${version}, seed ${seed}`,
          }
          made.push(bodyCase(head, version, direction, way, narrowing, `/${random.noun()}`))
        }
  return made
}
