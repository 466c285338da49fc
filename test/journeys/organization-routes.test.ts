/** Every route of an organization: accessible in both themes and at 400 percent, within its policy, of one origin. */
import { isOfOrganization, testRoutes } from '../fixtures/web/route-tests.ts'

testRoutes(isOfOrganization)
