import { documentationPage, type Web } from '../web/door.ts'
import { Reply } from '../http/door.ts'
import type { GrantedTenant } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { type FoundVersion, urlsOf } from '../records/door.ts'
import { portalOf } from '../portal/door.ts'
import { lifecycleHeaders } from './lifecycle.ts'
import type { DocumentService } from './service.ts'
import { siblingsOf } from './siblings.ts'

/** Opens the built web files; the same guarantee each time. */
export type PageAssets = () => Promise<Web>

/** So long the page waits for the parts of a document that was never opened before: then it opens and says so. */
const patienceMs = 250

/** Who opens a page. */
export interface PageReader {
  /** Where it was asked for. */
  readonly path: string
  /** The key that the link carried; null without. */
  readonly keyId: string | null
  readonly isMember: boolean
  readonly isSignedIn: boolean
}

/** The interactive page of a version that the reader may see. */
export async function versionPage(
  deps: Deps,
  found: FoundVersion & { readonly tenant: GrantedTenant },
  service: DocumentService,
  assets: PageAssets,
  reader: PageReader,
): Promise<Reply> {
  const { project, version, tenant } = found
  const { entries } = await assets()
  const { document, page } = urlsOf('', tenant.slug, project.slug, version.slug)
  const isWorkflows = version.format.kind === 'arazzo'
  const arazzo = document.replace('/v1/schema/', '/v1/arazzo/')
  const place = [tenant.slug, project.slug, version.slug].map(encodeURIComponent).join('/')
  const servers = isWorkflows ? [] : await service.parts.serversOf(version, patienceMs)
  const { replacement } = version
  const portalUrl = await portalOf(deps, tenant, version)
  const { html, headers } = documentationPage(
    {
      title: version.title,
      version: version.label,
      kind: isWorkflows ? 'arazzo' : 'openapi',
      documentUrl: isWorkflows ? arazzo : document,
      partsUrl: page,
      servers,
      ...(!isWorkflows && (version.joined ?? []).some(({ kind }) => kind === 'arazzo') ? { workflowsUrl: arazzo } : {}),
      status: version.status,
      ...(portalUrl === null ? {} : { portal: { name: tenant.name, url: portalUrl } }),
      ...(reader.isSignedIn && reader.isMember ? { applicationUrl: `/app/t/${place}` } : {}),
      feedUrl: `/v1/tenants/${encodeURIComponent(tenant.slug)}/projects/${encodeURIComponent(project.slug)}/changes.atom`,
      versions: await siblingsOf(deps, found, reader.isMember),
      lifecycle: {
        deprecatedAt: version.deprecatedAt,
        sunsetAt: version.sunsetAt,
        retiredAt: version.retiredAt,
        replacement:
          replacement === null
            ? null
            : { label: replacement, page: urlsOf('', tenant.slug, project.slug, replacement).page },
      },
    },
    entries.documentation,
  )
  const paths = [reader.path, page, document, arazzo]
  const cookies = reader.keyId === null ? [] : await service.admit(version, reader.keyId, paths)
  return new Reply({ headers: { ...headers, ...lifecycleHeaders(version, { tenant, project }) }, cookies, body: html })
}
