import type { Json } from '../../../../src/kernel/json.ts'
import type { Random } from '../mutations.ts'
import { withOperation } from '../changes-of.ts'
import type { Trial } from './trial.ts'

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!
const some = <T>(random: Random, list: readonly T[], share = 0.5): readonly T[] => list.filter(() => random() < share)

/** Schemes that differ on the wire, each with what a client sends; no two of them go into one place. */
const schemes = [
  { declared: { type: 'apiKey', in: 'header', name: 'X-Key' }, sent: 'x-key: …' },
  { declared: { type: 'apiKey', in: 'query', name: 'key' }, sent: '?key=…' },
  { declared: { type: 'apiKey', in: 'cookie', name: 'key' }, sent: 'cookie: key=…' },
  { declared: { type: 'http', scheme: 'bearer' }, sent: 'authorization: bearer …' },
] as const

interface Secured {
  readonly document: Json
  readonly alternatives: readonly ReadonlySet<string>[]
}

const securedBy = (random: Random, alternatives: readonly (readonly number[])[]): Secured => {
  const keys = schemes.map((_, i) => (random() < 0.5 ? `s${i}` : `t${i}`))
  const declared = schemes.map((it, i) => {
    const spelled = it.declared.type === 'apiKey' && it.declared.in === 'header' && random() < 0.5
    return [keys[i]!, spelled ? { ...it.declared, name: 'x-KEY' } : it.declared] as const
  })
  const used = new Set(alternatives.flat())
  return {
    document: withOperation(
      { security: alternatives.map((all) => Object.fromEntries(all.map((i) => [keys[i]!, []]))) },
      { components: { securitySchemes: Object.fromEntries(declared.filter((_, i) => used.has(i) || random() < 0.5)) } },
    ),
    alternatives:
      alternatives.length === 0 ? [new Set()] : alternatives.map((all) => new Set(all.map((i) => schemes[i]!.sent))),
  }
}

/** Who may call: the credentials of each alternative of the base have to be enough for one of the head. */
export const security = (random: Random): Trial => {
  const numbers = schemes.map((_, i) => i)
  const list = (): (readonly number[])[] =>
    Array.from({ length: Math.floor(random() * 3) }, () => some(random, numbers, 0.4))
  const before = list()
  const base = securedBy(random, before)
  const head = securedBy(random, random() < 0.5 ? [...before, ...list()].slice(random() < 0.3 ? 1 : 0) : list())
  const lost = base.alternatives.find(
    (sent) => !head.alternatives.some((wanted) => [...wanted].every((it) => sent.has(it))),
  )
  return {
    base: base.document,
    head: head.document,
    lost: lost ? [...lost].join(', ') || 'no credentials' : null,
    exhaustive: true,
  }
}

const hosts = ['https://a.example', 'https://b.example', 'http://a.example']

interface Served {
  readonly document: Json
  readonly urls: readonly string[]
}

const servedAt = (random: Random, prefix: string, names: readonly string[]): Served => {
  const operation = { responses: { '200': { description: 'ok' } } }
  const inPath = random() < 0.5
  const listed = random() < 0.3
  const base = inPath ? '' : prefix
  const tail = random() < 0.3 ? '/' : ''
  const written = listed
    ? [{ url: `{host}${base}${tail}`, variables: { host: { default: names[0]!, enum: [...names] } } }]
    : names.map((host) => ({ url: `${random() < 0.3 ? host.toUpperCase() : host}${base}${tail}` }))
  const own = random() < 0.3
  const template = `${inPath ? prefix : ''}/x/{${random() < 0.5 ? 'id' : 'key'}}`
  return {
    document: {
      openapi: '3.1.1',
      info: { title: 'A', version: '1' },
      servers: own ? [{ url: 'https://unused.example' }] : written,
      paths: { [template]: { get: own ? { ...operation, servers: written } : operation } },
    },
    urls: names.map((host) => `${host}${prefix}/x/1`),
  }
}

/** Where an operation is: every URL of the base has to be one of the head. */
export const servers = (random: Random): Trial => {
  const names = some(random, hosts)
  const before = names.length === 0 ? hosts : names
  const prefix = pick(random, ['', '/v1', '/v2'])
  const after = random() < 0.5 ? hosts : before
  const base = servedAt(random, prefix, before)
  const head = servedAt(random, random() < 0.7 ? prefix : pick(random, ['', '/v1', '/v2']), after)
  const lost = base.urls.find((url) => !head.urls.includes(url))
  return { base: base.document, head: head.document, lost: lost ?? null, exhaustive: true }
}

const bodies = [
  { schema: { type: 'integer', enum: [1] }, values: ['1'] },
  { schema: { type: 'integer', enum: [1, 2] }, values: ['1', '2'] },
  { schema: { type: 'string', enum: ['a'] }, values: ['"a"'] },
] as const
const codes = ['400', '404', '500', '503']
const keys = ['400', '404', '500', '4XX', '5XX', 'default']

type Described = ReadonlyMap<string, (typeof bodies)[number]>

const describing = (all: Described, code: string): (typeof bodies)[number] | undefined =>
  all.get(code) ?? all.get(`${code[0]!}XX`) ?? all.get('default')

const answering = (all: Described): Json =>
  withOperation({
    responses: {
      '200': { description: 'ok' },
      ...Object.fromEntries(
        [...all].map(([key, { schema }]) => [key, { description: key, content: { 'application/json': { schema } } }]),
      ),
    },
  })

/** What errors look like: a body of the head under a status that the base describes has to be one that the base describes. */
export const answers = (random: Random): Trial => {
  const before: Described = new Map(some(random, keys).map((key) => [key, pick(random, bodies)]))
  const kept = [...before].filter(() => random() < 0.7)
  const after: Described = new Map([
    ...kept,
    ...some(random, keys, 0.2).map((key) => [key, pick(random, bodies)] as const),
  ])
  const lost = codes.flatMap((code) => {
    const [old, fresh] = [describing(before, code), describing(after, code)]
    if (!old || !fresh) return []
    return fresh.values.filter((it) => !(old.values as readonly string[]).includes(it)).map((it) => `${code} ${it}`)
  })
  // A range or a default that nothing is left for is compared all the same.
  return { base: answering(before), head: answering(after), lost: lost[0] ?? null, exhaustive: false }
}
