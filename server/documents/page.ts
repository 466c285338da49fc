import type { Web } from '../web/serve.ts'
import { documentationPage } from '../documentation/page.ts'
import { Reply } from '../reply.ts'
import type { GrantedTenant } from '../auth/grant.ts'
import type { FoundVersion } from '../versions/service.ts'
import { urlsOf } from '../versions/record.ts'

/** Opens the built web files; the same promise each time. */
export type PageAssets = () => Promise<Web>

/** The interactive page of a version that the reader may see. */
export async function versionPage(
  { project, version, tenant }: FoundVersion & { readonly tenant: GrantedTenant },
  assets: PageAssets,
): Promise<Reply> {
  const { entries } = await assets()
  const { html, headers } = documentationPage(
    {
      title: version.title,
      version: version.label,
      documentUrl: urlsOf('', tenant.slug, project.slug, version.slug).document,
      status: version.status,
    },
    entries.documentation,
  )
  return new Reply({ headers, body: html })
}
