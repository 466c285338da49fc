import { queryOptions } from '@tanstack/react-query'
import { onboardingApi, type WizardState, type WizardStep } from '../../../../src/api/onboarding.ts'
import { call } from '../../call.ts'

/** The saved progress of the wizard; null without any. Never cached: another device may have changed it. */
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

/** Saves the step of the wizard. Only a step forward is an event, so no step is counted twice. */
export const saveWizard = (
  step: WizardStep,
  { name, slug }: Entered,
  event: 'reached' | 'completed' | 'abandoned' | null,
): Promise<unknown> =>
  call(onboardingApi.saveWizard, {
    body: { step, org_name: name || null, slug: slug || null, ...(event === null ? {} : { event }) },
  })
