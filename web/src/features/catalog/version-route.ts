import { createRoute, notFound } from '@tanstack/react-router'
import { signedInRoute } from '../../routing/root-routes.ts'

/** The parent of every tab of a version; features put theirs under it. The router gives it its page. */
export const versionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/$project/$version',
  beforeLoad: ({ params }) => {
    if (params.project === '-') throw notFound()
  },
})
