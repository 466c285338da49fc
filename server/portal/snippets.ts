import { escapeMarkup } from '../../src/report/escape.ts'
import { badgeKinds, type BadgeKind } from '../../src/api/portal.ts'

/** A badge of a project, ready for a README or a page. */
interface Snippet {
  readonly kind: BadgeKind
  readonly url: string
  readonly markdown: string
  readonly html: string
}

/** Path of the portal of an organization. */
export const portalPath = (tenantSlug: string): string => `/p/${encodeURIComponent(tenantSlug)}`

/** The badges of a project. They lead to its entry in the portal, which stays when a new version is published. */
export const badgeSnippets = (publicUrl: string, tenantSlug: string, projectSlug: string): Snippet[] => {
  const portal = `${publicUrl}${portalPath(tenantSlug)}`
  const entry = `${portal}?q=${encodeURIComponent(projectSlug)}`
  return badgeKinds.map((kind) => {
    const url = `${portal}/${encodeURIComponent(projectSlug)}/badge/${kind}.svg`
    return {
      kind,
      url,
      markdown: `[![${kind}](${url})](${entry})`,
      html: `<a href="${escapeMarkup(entry)}"><img src="${escapeMarkup(url)}" alt="${kind}" height="20"></a>`,
    }
  })
}
