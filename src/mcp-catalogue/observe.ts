import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { serializeJson } from '../document/serialize.ts'
import { SvcError } from '../errors.ts'
import { noIdentity } from './declare.ts'
import { fingerprints } from './fingerprints.ts'
import { readIdentity } from './formats/server-json.ts'
import { isToolList } from './formats/tool-list.ts'
import { readSurface } from './formats/surface-lists.ts'
import { manifestLimits, parseManifest, Reading } from './reading.ts'
import { countsOf, emptySurface, itemKey } from './surface.ts'
import {
  surfaceLists,
  type ManifestNotice,
  type ObservedAnswers,
  type ObservedSurface,
  type ServerIdentity,
  type Surface,
} from './types.ts'

/** How many pages of a list are read at most, as the official client does. */
const mostPages = 64

const tooLarge = (reason: string): never => {
  throw new SvcError('manifest-invalid', { reason, pointer: '', line: null, column: null })
}

/** The result in an answer, with or without the envelope of JSON-RPC. */
function resultOf(reading: Reading): readonly [JsonObject, Path] {
  const { value } = reading.document
  const answer = reading.object(value, [], 'the answer')
  if (isObject(answer.error))
    return reading.fail(['error'], `the server answered with an error: ${shown(answer.error)}`)
  return isObject(answer.result) && answer.jsonrpc !== undefined ? [answer.result, ['result']] : [answer, []]
}

const shown = ({ message, code }: JsonObject): string =>
  typeof message === 'string' ? message.slice(0, 200) : String(code).slice(0, 20)

const textIn = (holder: JsonObject, key: string): string | null => {
  const value = holder[key]
  return typeof value === 'string' && value !== '' ? value : null
}

type Self = Pick<ObservedSurface, 'identity' | 'protocolVersion' | 'instructions'>

/** `serverInfo` as servers call it, `server` as uploads may. */
const selfKey = (result: JsonObject): string | undefined =>
  ['serverInfo', 'server'].find((key) => isObject(result[key]))

const identityIn = (reading: Reading, result: JsonObject, path: Path): ServerIdentity => {
  const key = selfKey(result)
  const self = key === undefined ? undefined : result[key]
  return key !== undefined && isObject(self) ? readIdentity(reading, self, [...path, key]) : noIdentity
}

const selfIn = (reading: Reading, result: JsonObject, path: Path): Self => ({
  identity: identityIn(reading, result, path),
  protocolVersion: textIn(result, 'protocolVersion'),
  instructions: reading.text(result, ['instructions'], path, manifestLimits.text * 10),
})

const finish = (self: Self, surface: Surface, notices: readonly ManifestNotice[]): ObservedSurface => ({
  ...self,
  surface,
  fingerprint: fingerprints(surface),
  counts: countsOf(surface),
  notices,
})

/** Names that are there twice, on whatever pages. */
const repeatedIn = (surface: Surface): ManifestNotice[] =>
  surfaceLists.flatMap((list) => {
    const seen = new Set<string>()
    return surface[list].flatMap((item, at): ManifestNotice[] => {
      const key = itemKey(list, item)
      const isRepeated = seen.has(key)
      seen.add(key)
      const message = `There is another item "${key.slice(0, 80)}" in "${list}".`
      return isRepeated ? [{ code: 'duplicate-name', message, pointer: `/${list}/${at}`, line: 1, column: 1 }] : []
    })
  })

/**
 * What a server offers, from the raw answers to its lists: everything it sent is kept, also fields that clients drop.
 * @throws SvcError `manifest-invalid` for an answer that is not one, and for more than 8 MB, 64 pages of a list or 2,000 items in all
 */
export function observedSurface({ server, pages }: ObservedAnswers): ObservedSurface {
  const texts = surfaceLists.flatMap((list) => pages[list] ?? [])
  const characters = [server ?? '', ...texts].reduce((sum, it) => sum + it.length, 0)
  if (characters > manifestLimits.characters)
    tooLarge(`the answers have ${characters} characters; ${manifestLimits.characters} are allowed`)
  const surface = Object.fromEntries(
    surfaceLists.map((list) => {
      const all = pages[list] ?? []
      if (all.length > mostPages) tooLarge(`"${list}" has ${all.length} pages; ${mostPages} are allowed`)
      const items = all.flatMap((text) => {
        const reading = new Reading(parseManifest(text, 'answer.json', `${list}: `))
        const [result, path] = resultOf(reading)
        if (!Array.isArray(result[list])) reading.fail([...path, list], `the answer has no list "${list}"`)
        return readSurface(reading, { [list]: result[list] as Json }, path)[list]
      })
      return [list, items]
    }),
  ) as unknown as Surface
  const count = surfaceLists.reduce((sum, list) => sum + surface[list].length, 0)
  if (count > manifestLimits.items) tooLarge(`it has ${count} items; ${manifestLimits.items} are allowed`)
  const notices = repeatedIn(surface)
  if (server === null || server === undefined)
    return finish({ identity: noIdentity, protocolVersion: null, instructions: null }, surface, notices)
  const reading = new Reading(parseManifest(server, 'answer.json', 'initialize: '))
  const [result, path] = resultOf(reading)
  return finish(selfIn(reading, result, path), surface, notices)
}

/** An observation as it is uploaded and stored: JSON that `svc lint` and `svc diff` read. */
export const observationText = ({ identity, protocolVersion, instructions, surface }: ObservedSurface): string =>
  serializeJson({
    serverInfo: Object.fromEntries(Object.entries(identity).filter((it): it is [string, string] => it[1] !== null)),
    ...(protocolVersion === null ? {} : { protocolVersion }),
    ...(instructions === null ? {} : { instructions }),
    ...surface,
  })

/**
 * Reads an observation that was uploaded: what `observationText` writes, or any answer to `tools/list`.
 * @throws SvcError `manifest-invalid`
 */
export function readUpload(text: string): ObservedSurface {
  const reading = new Reading(parseManifest(text, 'observation'))
  const { value } = reading.document
  if (Array.isArray(value))
    return finish(
      { identity: noIdentity, protocolVersion: null, instructions: null },
      { ...emptySurface, tools: readSurface(reading, { tools: value }, []).tools },
      reading.notices,
    )
  if (!isToolList(value))
    reading.fail([], 'it has none of the lists "tools", "resources", "resourceTemplates" and "prompts"')
  const [result, path] = resultOf(reading)
  const surface = readSurface(reading, result, path)
  const self = selfIn(reading, result, path)
  const identity = selfKey(result) === undefined ? readIdentity(reading, result, path) : self.identity
  return finish({ ...self, identity }, surface, reading.notices)
}
