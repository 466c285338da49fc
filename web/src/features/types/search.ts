import type { PrimitiveRecord } from '../../../../src/api/primitive-shapes.ts'
import { primitivesApi } from '../../../../src/api/primitives.ts'
import { call } from '../../call.ts'

/** How many types are offered while someone types. */
const mostOffered = 12
const longestSearch = 200

/** Types whose name, namespace, reference, description or tags contain a text. */
export const searchTypes = async (
  tenant: string,
  text: string,
  signal?: AbortSignal,
): Promise<readonly PrimitiveRecord[]> => {
  const query = { q: text.slice(0, longestSearch), limit: mostOffered }
  const found = await call(primitivesApi.list, { params: { tenant_slug: tenant }, query }, signal)
  return Array.isArray(found) ? found : found.primitives
}
