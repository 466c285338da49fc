import { queryOptions } from '@tanstack/react-query'
import type { Input, Output } from '../../../../src/api/endpoint.ts'
import { threadsApi } from '../../../../src/api/threads.ts'
import { call } from '../../call.ts'
import { versionParams, type VersionRef, versionsKey } from '../catalog/versions.ts'

export type DocumentPlace = Output<typeof threadsApi.place>
export type Patch = NonNullable<Input<typeof threadsApi.open>['body']['suggestion']>['patch']

/** What is at a place of the document now. */
export const placeQuery = (at: VersionRef, pointer: string) =>
  queryOptions({
    queryKey: [...versionsKey(at.tenant), 'place', at.project, at.version, pointer],
    queryFn: () => call(threadsApi.place, { params: versionParams(at), query: { pointer } }),
  })

/** A value as it is typed: JSON, or else the text itself. */
export const valueOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** A value as it is shown to be changed: a text as itself, unless that would be read as another value. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' && typeof valueOf(value) === 'string' ? value : JSON.stringify(value, null, 2)

const split = (pointer: string): readonly [around: string, step: string] => {
  const at = Math.max(0, pointer.lastIndexOf('/'))
  return [pointer.slice(0, at), pointer.slice(at + 1)]
}

/** What a place is called in the object around it. */
export const nameOf = (pointer: string): string => split(pointer)[1].replaceAll('~1', '/').replaceAll('~0', '~')

/** Where a list of required properties would name the property of a pointer; null where it is no property of a schema. */
export const requiredOf = (pointer: string): string | null => {
  const [properties] = split(pointer)
  const [schema, step] = split(properties)
  return step === 'properties' ? `${schema}/required` : null
}

/** What a person wrote in the place of what is there. */
export interface Wanted {
  readonly name: string
  readonly value: string
}

/**
 * The patch that makes of a place what a person wrote; empty where it is that already.
 * @param required the required properties of the schema around it: one that gets another name gets it there, too
 */
export const patchOf = (place: DocumentPlace, { name, value }: Wanted, required: unknown): Patch => {
  const { pointer, is_named: isNamed } = place
  const changed =
    place.is_long || value === textOf(place.value)
      ? []
      : [{ op: 'replace' as const, path: pointer, value: valueOf(value) }]
  const before = nameOf(pointer)
  if (!isNamed || name === before || name === '') return changed
  const [around] = split(pointer)
  const path = `${around}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const list = requiredOf(pointer)
  const isRequired = list !== null && Array.isArray(required) && required.includes(before)
  return [
    ...changed,
    { op: 'move', from: pointer, path },
    ...(isRequired
      ? [
          {
            op: 'replace' as const,
            path: list,
            value: (required as unknown[]).map((it) => (it === before ? name : it)),
          },
        ]
      : []),
  ]
}

/** A place as lines, with its name where it has one: what the difference of a suggestion is made of. */
export const linesOf = (place: DocumentPlace, { name, value }: Wanted): string =>
  place.is_named ? `${name}: ${value}` : value

/** The required properties around a property; null where there are none. */
export const requiredAt = async (at: VersionRef, pointer: string): Promise<unknown> => {
  const list = requiredOf(pointer)
  if (list === null) return null
  try {
    return (await call(threadsApi.place, { params: versionParams(at), query: { pointer: list } })).value
  } catch {
    // A schema that requires nothing has no such list.
    return null
  }
}
