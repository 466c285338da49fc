import { onboardingApi } from '../../src/api/onboarding.ts'
import { addressOf, assertAddress, type Grant, personOf, spendOnboarding } from '../auth/door.ts'
import type { Identity } from '../sign-in/door.ts'
import { Reply, type Route, routesOf } from '../http/door.ts'
import { activateMembership, provisionTenant } from './service.ts'
import { clearWizard, readWizard, saveWizard } from './wizard.ts'

/**
 * The routes of onboarding. All stop where the address has spent its budget of signing
 * in; the two that change who belongs where also have one for each person.
 */
export function onboardingRoutes(deps: Identity): Route[] {
  const look = (request: Request): Promise<void> => assertAddress(deps.db, addressOf(request), deps.clock.now())
  const take = async (grant: Grant, request: Request): Promise<void> => {
    await look(request)
    await spendOnboarding(deps.db, personOf(grant), deps.clock.now())
  }
  return routesOf(onboardingApi, {
    firstTenant: async ({ body }, { grant, request }) => {
      await take(grant, request)
      return provisionTenant(deps, grant, {
        name: body.name,
        slug: body.slug ?? null,
        sample: body.provision_sample_project ?? false,
      })
    },
    activate: async ({ body }, { grant, request }) => {
      await take(grant, request)
      return activateMembership(deps, grant, body?.tenant_id)
    },
    wizard: async (_, { grant, request }) => {
      await look(request)
      return (await readWizard(deps, grant)) ?? new Reply({ status: 204, body: null })
    },
    saveWizard: async ({ body }, { grant, request }) => {
      await look(request)
      await saveWizard(deps, grant, {
        step: body.step,
        orgName: body.org_name ?? null,
        slug: body.slug ?? null,
        event: body.event ?? null,
      })
      return null
    },
    clearWizard: async (_, { grant, request }) => {
      await look(request)
      await clearWizard(deps, grant)
      return null
    },
  })
}
