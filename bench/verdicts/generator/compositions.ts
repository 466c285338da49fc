/** Several keywords that act on each other: changes of several properties, schemas that say the same in other words, and such that almost do. */
import type { JsonObject, MadeCase } from '../case.ts'
import { bodyCase, samples } from './keyword-atoms.ts'
import { bodyDocument } from './documents.ts'
import { equivalences } from './equivalences.ts'
import type { Narrowing } from './narrowings.ts'
import { Random } from './random.ts'
import { keywordsOf, type Version } from './schemas.ts'

const mixes = 48

/** An object with three properties; each of them is narrowed, widened or kept. */
function mixCases(seed: string): MadeCase[] {
  return Array.from({ length: mixes }, (_, at) => {
    const random = new Random(`${seed}/mix/${at}`)
    const version: Version = at % 2 === 0 ? '3.0' : '3.1'
    const direction = at % 4 < 2 ? 'request' : 'response'
    // Of every seed the same: a third of them is safe.
    const isBreaking = at % 3 !== 0
    const makers = random.shuffle(
      Object.entries(keywordsOf[version]).filter(
        ([name]) => !name.includes('ref') && !name.includes('nchor') && !name.includes('Ref'),
      ),
    )
    const parts = random.names(3).map((name, place) => {
      const [keyword = '', make] = makers[place] ?? []
      if (make === undefined) throw new Error('There are too few keywords')
      const way = place === 0 ? 'lost' : random.pick(['gained', 'kept', 'gained'] as const)
      return { name, keyword, narrowing: make(random), way: place === 0 && !isBreaking ? 'gained' : way }
    })
    const side = (isNarrow: (way: string) => boolean): JsonObject => ({
      type: 'object',
      properties: Object.fromEntries(
        random
          .shuffle(parts)
          .map(({ name, narrowing, way }) => [name, isNarrow(way) ? narrowing.narrow : narrowing.wide]),
      ),
    })
    // "lost" goes against the direction, "gained" with it.
    const narrowing: Narrowing = {
      wide: side((way) => way === 'gained'),
      narrow: side((way) => way === 'lost'),
      witness: { [parts[0]?.name ?? '']: parts[0]?.narrowing.witness ?? null },
      reason: `Each property is kept or allows ${direction === 'request' ? 'more' : 'less'}: ${parts.map(({ narrowing: { reason } }) => reason).join(' ')}`,
    }
    const way = direction === 'request' ? 'narrowed' : 'widened'
    const head = {
      id: `mix-${at + 1}`,
      track: 'compositions' as const,
      source: `generator, ${parts.map(({ keyword }) => keyword).join(', ')} of OpenAPI ${version}, seed ${seed}`,
    }
    const made = bodyCase(head, version, direction, way, narrowing, `/${random.noun()}`)
    return isBreaking ? made : { ...made, verdict: 'safe', certificate: { reason: narrowing.reason, samples } }
  })
}

function equivalenceCases(seed: string): MadeCase[] {
  return Object.entries(equivalences).flatMap(([name, make]) => {
    const random = new Random(`${seed}/equivalence/${name}`)
    const { versions, one, other, almost, witness, reason } = make(random)
    return versions.flatMap((version) =>
      (['request', 'response'] as const).flatMap((direction) => {
        const document = bodyDocument(direction)
        const path = `/${random.noun()}`
        const [from, to] = random.shuffle([one, other])
        const source = `generator, ${name} of OpenAPI ${version}, seed ${seed}`
        const start = `${version.replace('.', '-')}-${name}`
        const [wide, narrow] = [document(version, path, one), document(version, path, almost)]
        const sender = direction === 'request' ? 'base' : 'head'
        const common = { track: 'compositions', direction, source } as const
        return [
          {
            ...common,
            id: `${start}-same-${direction}`,
            verdict: 'safe',
            certificate: { reason, samples },
            base: document(version, path, from ?? one),
            head: document(version, path, to ?? other),
          },
          {
            ...common,
            id: `${start}-almost-${direction}`,
            verdict: 'breaking',
            certificate: { accepts: sender, refuses: sender === 'base' ? 'head' : 'base', value: witness },
            base: direction === 'request' ? wide : narrow,
            head: direction === 'request' ? narrow : wide,
          },
        ] satisfies MadeCase[]
      }),
    )
  })
}

/** References that no document answers, in bodies of messages. */
function undecidableCases(seed: string): MadeCase[] {
  return (['3.0', '3.1', '3.2'] as const).flatMap((version) =>
    (['request', 'response'] as const).map((direction): MadeCase => {
      const random = new Random(`${seed}/elsewhere/${version}/${direction}`)
      const path = `/${random.noun()}`
      const [a = '', b = ''] = random.names(2)
      const with_ = (name: string) =>
        bodyDocument(direction)(version, path, {
          type: 'object',
          properties: { held: { $ref: `https://schemas.example.com/${name}.json` } },
        })
      return {
        id: `${version.replace('.', '-')}-reference-elsewhere-${direction}`,
        track: 'compositions',
        direction,
        verdict: 'undecidable',
        certificate: {
          reason: 'Both references lead to documents that are not given, so the values of the property are not known.',
          samples: 0,
        },
        source: `generator, references to other documents, seed ${seed}`,
        base: with_(a),
        head: with_(b),
      }
    }),
  )
}

/** A tree whose nodes are narrowed or widened, so that only a nested value shows it. */
function recursiveCases(seed: string): MadeCase[] {
  return (['3.0', '3.1'] as const).flatMap((version) =>
    (['request', 'response'] as const).flatMap((direction) =>
      (['narrowed', 'widened'] as const).map((way) => {
        const random = new Random(`${seed}/tree/${version}/${direction}`)
        const most = random.int(3, 40)
        const tree = (maximum: number): JsonObject => ({
          Tree: {
            type: 'object',
            properties: { size: { type: 'integer', maximum }, parts: { type: 'array', items: { $ref: '#DEFS/Tree' } } },
          },
          Root: {
            type: 'object',
            required: ['parts'],
            properties: { parts: { type: 'array', items: { $ref: '#DEFS/Tree' } } },
          },
        })
        const narrowing: Narrowing = {
          wide: { $ref: '#DEFS/Root' },
          narrow: { $ref: '#DEFS/Root' },
          wideDefs: tree(most),
          narrowDefs: tree(most - 1),
          witness: { parts: [{ parts: [{ size: most }] }] },
          reason:
            'The limit of each node is kept or becomes wider in the direction in which values go (core 8.2.3.1, $ref).',
        }
        const head = {
          id: `${version.replace('.', '-')}-tree-${way}-${direction}`,
          track: 'compositions' as const,
          source: `generator, recursion, seed ${seed}`,
        }
        return bodyCase(head, version, direction, way, narrowing, `/${random.noun()}`)
      }),
    ),
  )
}

/** The cases of the track. */
export const compositions = (seed: string): MadeCase[] => [
  ...mixCases(seed),
  ...equivalenceCases(seed),
  ...recursiveCases(seed),
  ...undecidableCases(seed),
]
