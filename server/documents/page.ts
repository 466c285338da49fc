import type { Web } from '../web/serve.ts'
import { documentationPage } from '../documentation/page.ts'
import { Reply } from '../http/reply.ts'
import type { GrantedTenant } from '../auth/grant.ts'
import type { FoundVersion } from '../versions/service.ts'
import { urlsOf } from '../versions/record.ts'
import { lifecycleHeaders } from './lifecycle.ts'
import type { DocumentService } from './service.ts'

/** Opens the built web files; the same guarantee each time. */
export type PageAssets = () => Promise<Web>

/** The interactive page of a version that the reader may see. `path` is where it was asked for. */
export async function versionPage(
  { project, version, tenant }: FoundVersion & { readonly tenant: GrantedTenant },
  service: DocumentService,
  assets: PageAssets,
  reader: { readonly path: string; readonly keyId: string | null },
): Promise<Reply> {
  const { entries } = await assets()
  const { document, page } = urlsOf('', tenant.slug, project.slug, version.slug)
  const isWorkflows = version.format.kind === 'arazzo'
  const arazzo = document.replace('/v1/schema/', '/v1/arazzo/')
  const { html, headers } = documentationPage(
    {
      title: version.title,
      version: version.label,
      kind: isWorkflows ? 'arazzo' : 'openapi',
      documentUrl: isWorkflows ? arazzo : document,
      servers: isWorkflows ? [] : await service.serversOf(version),
      ...(!isWorkflows && (version.joined ?? []).some(({ kind }) => kind === 'arazzo') ? { workflowsUrl: arazzo } : {}),
      status: version.status,
    },
    entries.documentation,
  )
  const paths = [reader.path, page, document, arazzo]
  const cookies = reader.keyId === null ? [] : await service.admit(version, reader.keyId, paths)
  return new Reply({ headers: { ...headers, ...lifecycleHeaders(version, { tenant, project }) }, cookies, body: html })
}
