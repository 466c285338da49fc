import { createRoute, redirect } from '@tanstack/react-router'
import { dialogWords, type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { versionRoute } from '../catalog/version-route.ts'

const ChangeReportView = later(
  'the change report',
  async () => (await import('./change-report-view.tsx')).ChangeReportView,
)

const reportWords = (search: Search) => ({ ...word(search, 'edit'), ...dialogWords(search) })

const reportRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/changes/report',
  validateSearch: reportWords,
  component: () => (
    <ChangeReportView at={versionRoute.useParams()} editing={reportRoute.useSearch().edit !== undefined} />
  ),
})

// It was a tab of its own once.
const formerRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/report',
  validateSearch: reportWords,
  beforeLoad: ({ search, params }) => {
    throw redirect({ to: '/t/$tenant/$project/$version/changes/report', params, search, replace: true })
  },
})

export const changeReportRoutes = [reportRoute, formerRoute] as const
