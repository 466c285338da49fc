import { createRoute } from '@tanstack/react-router'
import { dialogWords, type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { versionRoute } from '../versions/routes.tsx'

const ChangeReportView = later(
  'the change report',
  async () => (await import('./change-report-view.tsx')).ChangeReportView,
)

const reportRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/report',
  staticData: { tab: { of: 'version', name: 'Change report' } },
  validateSearch: (search: Search) => ({ ...word(search, 'edit'), ...dialogWords(search) }),
  component: () => (
    <ChangeReportView at={versionRoute.useParams()} editing={reportRoute.useSearch().edit !== undefined} />
  ),
})

export const changeReportRoutes = [reportRoute] as const
