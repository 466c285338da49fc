import { createRoute } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import { number, type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

const AuditPage = later('the audit trail', async () => (await import('./audit-page.tsx')).AuditPage)

const auditRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/audit',
  staticData: {
    section: { group: 'Organization', name: 'Audit trail', icon: ScrollText, permission: 'members:edit' },
  },
  validateSearch: (search: Search) => ({
    ...number(search, 'offset'),
    ...word(search, 'action'),
    ...word(search, 'actor'),
    ...word(search, 'target'),
    ...word(search, 'since'),
    ...word(search, 'until'),
  }),
  component: () => {
    const { action = '', actor = '', target = '', since = '', until = '', offset = 0 } = auditRoute.useSearch()
    return <AuditPage {...auditRoute.useParams()} given={{ action, actor, target, since, until }} offset={offset} />
  },
})

export const auditRoutes = [auditRoute] as const
