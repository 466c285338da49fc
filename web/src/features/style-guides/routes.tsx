import { createRoute } from '@tanstack/react-router'
import { Ruler } from 'lucide-react'
import { dialogWords, number, type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

// Fetched when one of them is opened first.
const pages = () => import('./lazy-pages.ts')
const AssignmentsView = later('the assignments', async () => (await pages()).AssignmentsView)
const CustomRulesView = later('the custom rules', async () => (await pages()).CustomRulesView)
const ImpactView = later('the impact', async () => (await pages()).ImpactView)
const PacksView = later('the snapshots', async () => (await pages()).PacksView)
const PolicyView = later('the policy', async () => (await pages()).PolicyView)
const GuideRulesView = later('the rules', async () => (await pages()).GuideRulesView)
const StyleGuidePage = later('the guide', async () => (await pages()).StyleGuidePage)
const StyleGuidesPage = later('the guides', async () => (await pages()).StyleGuidesPage)

const styleGuidesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/style-guides',
  staticData: {
    section: { group: 'Governance', name: 'Style guides', icon: Ruler, permission: 'style_guides:view' },
    actions: [{ name: 'Create a style guide', dialog: 'new', permission: 'style_guides:edit' }],
  },
  validateSearch: dialogWords,
  component: () => <StyleGuidesPage {...styleGuidesRoute.useParams()} />,
})

const styleGuideRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/style-guides/$guide',
  validateSearch: dialogWords,
  component: () => <StyleGuidePage {...styleGuideRoute.useParams()} />,
})

const rulesRoute = createRoute({
  getParentRoute: () => styleGuideRoute,
  path: '/',
  staticData: { tab: { of: 'guide', name: 'Rules' } },
  validateSearch: (search: Search) => ({
    ...word(search, 'q'),
    ...word(search, 'severity'),
    ...word(search, 'format'),
    ...word(search, 'state'),
  }),
  component: () => {
    const { q = '', severity = '', format = '', state = '' } = rulesRoute.useSearch()
    return <GuideRulesView at={styleGuideRoute.useParams()} given={{ q, severity, format, state }} />
  },
})

const customRulesRoute = createRoute({
  getParentRoute: () => styleGuideRoute,
  path: '/custom-rules',
  staticData: { tab: { of: 'guide', name: 'Custom rules' } },
  validateSearch: (search: Search) => ({ ...word(search, 'project'), ...word(search, 'version') }),
  component: () => {
    const { project = '', version = '' } = customRulesRoute.useSearch()
    return <CustomRulesView at={styleGuideRoute.useParams()} project={project} version={version} />
  },
})

const assignmentsRoute = createRoute({
  getParentRoute: () => styleGuideRoute,
  path: '/assignments',
  staticData: { tab: { of: 'guide', name: 'Assignments' } },
  validateSearch: (search: Search) => ({ ...word(search, 'q'), ...word(search, 'under'), ...number(search, 'offset') }),
  component: () => {
    const { q = '', under, offset = 0 } = assignmentsRoute.useSearch()
    return <AssignmentsView at={styleGuideRoute.useParams()} q={q} under={under !== undefined} offset={offset} />
  },
})

const impactRoute = createRoute({
  getParentRoute: () => styleGuideRoute,
  path: '/impact',
  staticData: { tab: { of: 'guide', name: 'Impact' } },
  validateSearch: (search: Search) => ({ ...word(search, 'all'), ...word(search, 'every'), ...word(search, 'job') }),
  component: () => {
    const { all, every, job = '' } = impactRoute.useSearch()
    const at = styleGuideRoute.useParams()
    return <ImpactView at={at} all={all !== undefined} every={every !== undefined} job={job} />
  },
})

const policyRoute = createRoute({
  getParentRoute: () => styleGuideRoute,
  path: '/policy',
  staticData: { tab: { of: 'guide', name: 'Policy' } },
  component: () => <PolicyView at={styleGuideRoute.useParams()} />,
})

const packsRoute = createRoute({
  getParentRoute: () => styleGuideRoute,
  path: '/packs',
  staticData: { tab: { of: 'guide', name: 'Snapshots' } },
  validateSearch: (search: Search) => ({
    ...number(search, 'from'),
    ...number(search, 'to'),
    ...number(search, 'show'),
    ...number(search, 'offset'),
  }),
  component: () => {
    const { from = 0, to = 0, show = 0, offset = 0 } = packsRoute.useSearch()
    return <PacksView at={styleGuideRoute.useParams()} from={from} to={to} shown={show} offset={offset} />
  },
})

export const styleGuideRoutes = [
  styleGuidesRoute,
  styleGuideRoute.addChildren([rulesRoute, customRulesRoute, assignmentsRoute, impactRoute, policyRoute, packsRoute]),
] as const
