import { createRoute } from '@tanstack/react-router'
import { type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { versionRoute } from '../catalog/version-route.ts'

const LintReportView = later('the lint report', async () => (await import('./lint-report-view.tsx')).LintReportView)

const findingsRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/findings',
  staticData: { tab: { of: 'version', name: 'Lint' } },
  validateSearch: (search: Search) => ({
    ...word(search, 'q'),
    ...word(search, 'severity'),
    ...word(search, 'rule'),
    ...word(search, 'place'),
    ...word(search, 'by'),
    ...word(search, 'frames'),
  }),
  component: () => {
    const { q = '', severity = '', rule = '', place = '', by, frames } = findingsRoute.useSearch()
    const grouping = by === 'place' || by === 'text' ? by : 'rule'
    return (
      <LintReportView
        at={versionRoute.useParams()}
        view={{ q, severity, rule, place, by: grouping, frames: frames !== 'no' }}
      />
    )
  },
})

export const lintRoutes = [findingsRoute] as const
