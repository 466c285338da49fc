import type { GrantedTenant } from '../auth/door.ts'
import { type FoundVersion, urlsOf, type VersionRow } from '../records/door.ts'

/**
 * `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) of a version that is on its way out, and a `Link` (RFC 8288) to what
 * takes its place, where one was named.
 */
export function lifecycleHeaders(
  version: VersionRow,
  { tenant, project }: { readonly tenant: GrantedTenant; readonly project: FoundVersion['project'] },
): Record<string, string> {
  const headers: Record<string, string> = {}
  const since = version.deprecatedAt ?? version.retiredAt
  if (since === null) return headers
  headers.deprecation = `@${Math.floor(Date.parse(since) / 1000)}`
  const end = version.sunsetAt ?? version.retiredAt
  if (end !== null) headers.sunset = new Date(end).toUTCString()
  const links = [`<${urlsOf('', tenant.slug, project.slug, 'latest').document}>; rel="latest-version"`]
  if (version.replacement !== null)
    links.unshift(`<${urlsOf('', tenant.slug, project.slug, version.replacement).document}>; rel="successor-version"`)
  headers.link = links.join(', ')
  return headers
}
