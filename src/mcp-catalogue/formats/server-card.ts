import { isObject, type Json } from '../../kernel/json.ts'
import type { Draft } from '../declare.ts'
import { type Reading } from '../reading.ts'
import { readIdentity, readRemotes } from './server-json.ts'
import { isCompleteSurface, readSurface } from './surface-lists.ts'
import { readSelf, readWay } from './tool-list.ts'

/** Whether a value is the card of a server (SEP-2127, formerly SEP-1649). */
export const isServerCard = (value: Json): boolean => {
  if (!isObject(value)) return false
  const { $schema } = value
  if (typeof $schema === 'string') return /server-card/.test($schema)
  return isObject(value.serverInfo) && (isObject(value.transport) || Array.isArray(value.transports))
}

/**
 * Reads the card of a server: with `remotes` as server.json has them, or with `serverInfo` and `transport` as earlier drafts did.
 * @throws SvcError `manifest-invalid`, `transport-unknown`, `endpoint-address-invalid`
 */
export function readServerCard(reading: Reading, value: Json): Draft {
  const card = reading.object(value, [], 'the card')
  const isDraft = isObject(card.serverInfo)
  const identity = isDraft ? readSelf(reading, card, []) : readIdentity(reading, card, [])
  if (identity.name === null) reading.fail(isDraft ? ['serverInfo'] : [], 'the card has no "name"')
  const listed = reading
    .list(card, ['transports'], [])
    .flatMap(([it, at]) => readWay(reading, reading.object(it, at, 'a transport'), at))
  // Tools of a card may be the word "dynamic": then only the server knows them.
  const lists = Object.fromEntries(Object.entries(card).filter(([, it]) => typeof it !== 'string'))
  const surface = readSurface(reading, lists, [])
  const [, version = null] = /schemas\/([^/]+)\/server-card/.exec(String(card.$schema ?? '')) ?? []
  return {
    format: 'server-card',
    schemaVersion: version,
    servers: [
      {
        path: [],
        name: identity.name,
        identity,
        schemaVersion: version,
        transports: [...readRemotes(reading, card, []), ...readWay(reading, card, []), ...listed],
        packages: [],
        surface,
        isComplete: isCompleteSurface(surface),
      },
    ],
  }
}
