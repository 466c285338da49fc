import { onboardingApi } from '../../src/api/onboarding.ts'
import { addressOf } from '../auth/address.ts'
import { assertAddress, spendOnboarding } from '../auth/budget.ts'
import type { Grant } from '../auth/grant.ts'
import type { Identity } from '../auth/identity.ts'
import { personOf } from '../auth/person.ts'
import { routesOf, type Route } from '../mount.ts'
import { Reply } from '../reply.ts'
import { activateMembership, provisionTenant } from './service.ts'
import { clearWizard, readWizard, saveWizard } from './wizard.ts'

/**
 * The routes of onboarding (specification 2.2, 3.2, 3.3, 4.2). All stop where the address has spent its budget of signing
 * in; the two that change who belongs where also have one for each person.
 */
export function onboardingRoutes(identity: Identity): Route[] {
  const look = (request: Request): Promise<void> => assertAddress(identity.db, addressOf(request), identity.now())
  const take = async (grant: Grant, request: Request): Promise<void> => {
    await look(request)
    await spendOnboarding(identity.db, personOf(grant), identity.now())
  }
  return routesOf(onboardingApi, {
    firstTenant: async ({ body }, { grant, request }) => {
      await take(grant, request)
      return provisionTenant(identity, personOf(grant), {
        name: body.name,
        slug: body.slug ?? null,
        sample: body.provision_sample_project ?? false,
      })
    },
    activate: async ({ body }, { grant, request }) => {
      await take(grant, request)
      return activateMembership(identity, personOf(grant), body?.tenant_id)
    },
    wizard: async (_, { grant, request }) => {
      await look(request)
      return (await readWizard(identity, personOf(grant))) ?? new Reply({ status: 204, body: null })
    },
    saveWizard: async ({ body }, { grant, request }) => {
      await look(request)
      await saveWizard(identity, personOf(grant), {
        step: body.step,
        orgName: body.org_name ?? null,
        slug: body.slug ?? null,
        event: body.event ?? null,
      })
      return null
    },
    clearWizard: async (_, { grant, request }) => {
      await look(request)
      await clearWizard(identity, personOf(grant))
      return null
    },
  })
}
