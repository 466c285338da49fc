import { queryOptions } from '@tanstack/react-query'
import { onboardingApi, type WizardState, type WizardStep } from '../../../../src/api/onboarding.ts'
import { call } from '../../call.ts'

/** Where the wizard was left; null where nowhere. Never taken from memory: another device may have gone on. */
export const wizardQuery = queryOptions({
  queryKey: ['wizard'],
  queryFn: async (): Promise<WizardState | null> => call(onboardingApi.wizard, {}),
  gcTime: 0,
  staleTime: 0,
})

/** What was typed into the wizard so far. */
export interface Entered {
  readonly name: string
  readonly slug: string
}

/** Keeps where the wizard stands. Going on is counted, going back is not, so no step counts twice. */
export const saveWizard = (
  step: WizardStep,
  { name, slug }: Entered,
  event: 'reached' | 'completed' | 'abandoned' | null,
): Promise<unknown> =>
  call(onboardingApi.saveWizard, {
    body: { step, org_name: name || null, slug: slug || null, ...(event === null ? {} : { event }) },
  })
