import { isObject, type Json } from '../kernel/json.ts'
import { type CatalogFacts, readCatalogEntity } from './catalog-entity.ts'

const tag = /^[a-z0-9+#:._-]{1,63}$/
const most = 20

/**
 * Owner, lifecycle and tags that a document names in its info: `x-owner`, `x-lifecycle`, `x-tags`. A project that an
 * import creates begins with them. A value that cannot be used is left out: nothing about it keeps a document from being imported.
 */
export function factsOfInfo(document: Json): Pick<CatalogFacts, 'owner' | 'lifecycle' | 'tags'> {
  const info = isObject(document) ? document.info : undefined
  if (!isObject(info)) return {}
  const { 'x-owner': owner, 'x-lifecycle': lifecycle, 'x-tags': named } = info
  const one = (spec: Record<string, Json>) => {
    try {
      return readCatalogEntity({ kind: 'API', metadata: {}, spec })
    } catch {
      return {}
    }
  }
  const tags = (Array.isArray(named) ? (named as readonly Json[]) : [])
    .filter((it) => typeof it === 'string')
    .map((it) => it.trim().toLowerCase())
    .filter((it) => tag.test(it))
  return {
    ...(typeof owner === 'string' && owner.trim().length <= 200 ? one({ owner }) : {}),
    ...(typeof lifecycle === 'string' ? one({ lifecycle }) : {}),
    ...(tags.length === 0 ? {} : { tags: [...new Set(tags)].slice(0, most) }),
  }
}
