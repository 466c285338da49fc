/** What the paths of operations begin with at a gateway, from the servers of their documents. */
import { SvcError } from '../../src/errors.ts'
import type { Published } from '../../src/gateway/positive/index.ts'
import type { Deps } from '../kit/door.ts'
import { SizedCache } from '../../src/kernel/sized-cache.ts'
import type { VersionRow } from '../records/door.ts'

/** By "GET /pets". */
export type PlacesOfVersion = ReadonlyMap<string, readonly string[]>

/** So many operations are remembered; a text of a version never changes. */
const cache = new SizedCache<PlacesOfVersion>(100_000, 'gateway_places')

/**
 * What the paths of the operations of a version begin with.
 * @param published where the environment publishes them
 * @returns empty where the document cannot be read in time: its operations are then compared without their servers
 */
export async function placesOfVersion(
  { analysis }: Deps,
  version: VersionRow,
  published: Published,
): Promise<PlacesOfVersion> {
  const { tenantId, digest } = version
  const key = JSON.stringify([tenantId, digest, published])
  const known = cache.get(key)
  if (known !== undefined) return known
  try {
    const subjects = [analysis.subjectOf(version)]
    const { lists, operations } = await analysis.run(tenantId, 'gateway-places', published, subjects)
    const places = new Map(operations.map(([method, path, list]) => [`${method} ${path}`, lists[list] ?? []]))
    cache.set(key, places, places.size + 1)
    return places
  } catch (error) {
    if (error instanceof SvcError) return new Map()
    throw error
  }
}
