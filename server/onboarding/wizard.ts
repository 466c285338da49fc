import { eq } from 'drizzle-orm'
import { newId } from '../../db/id.ts'
import { onboardingEvents, wizardStates } from '../../db/tables.gen.ts'
import { type WizardState, type WizardStep, wizardSteps } from '../../src/api/onboarding.ts'
import { SvcError } from '../../src/errors.ts'
import type { Identity } from '../auth/identity.ts'

/** A position that nobody came back to for so long reads as absent. */
export const wizardLifeMs = 30 * 24 * 3_600_000

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** Where a person left the wizard; null when nowhere, or too long ago. */
export async function readWizard(identity: Identity, userId: string): Promise<WizardState | null> {
  const [row] = await identity.db.read.select().from(wizardStates).where(eq(wizardStates.userId, userId))
  if (row === undefined || row.updatedAt <= iso(identity.now() - wizardLifeMs)) return null
  return { step: row.step, org_name: row.orgName, slug: row.slug, updated_at: row.updatedAt }
}

/**
 * Keeps the position of a person and, when one is sent, the event of the funnel.
 * @throws SvcError `wizard-step-unknown`
 */
export async function saveWizard(
  identity: Identity,
  userId: string,
  given: {
    readonly step: string
    readonly orgName: string | null
    readonly slug: string | null
    readonly event: 'reached' | 'completed' | 'abandoned' | null
  },
): Promise<void> {
  const step = wizardSteps.find((it): it is WizardStep => it === given.step)
  if (step === undefined) throw new SvcError('wizard-step-unknown', { step: given.step })
  const updatedAt = iso(identity.now())
  const state = { step, orgName: given.orgName, slug: given.slug, updatedAt }
  await identity.db.inTransaction(async (tx) => {
    await tx
      .insert(wizardStates)
      .values({ userId, ...state })
      .onConflictDoUpdate({ target: wizardStates.userId, set: state })
    if (given.event !== null)
      await tx.insert(onboardingEvents).values({ id: newId(), userId, step, event: given.event, createdAt: updatedAt })
  })
}

/** Forgets the position; nothing happens where there is none. */
export async function clearWizard(identity: Identity, userId: string): Promise<void> {
  await identity.db.inTransaction((tx) => tx.delete(wizardStates).where(eq(wizardStates.userId, userId)))
}
