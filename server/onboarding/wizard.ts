import { isoOf } from '../../db/clock.ts'
import { eq, lt } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { removeWhere } from '../../db/remove-where.ts'
import { newId } from '../../db/id.ts'
import { onboardingEvents, wizardStates } from '../../db/tables.gen.ts'
import { type WizardState, type WizardStep, wizardSteps } from '../../src/api/onboarding.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, personOf } from '../auth/door.ts'
import type { Identity } from '../sign-in/door.ts'

/** A position that no one came back to for so long reads as absent. */
const wizardLifeMs = 30 * 24 * 3_600_000

/** Where a person left the wizard; null when nowhere, or too long ago. */
export async function readWizard(deps: Identity, grant: Grant): Promise<WizardState | null> {
  const [row] = await deps.db.read
    .select()
    .from(wizardStates)
    .where(eq(wizardStates.userId, personOf(grant)))
  if (row === undefined || row.updatedAt <= isoOf(deps.clock.now() - wizardLifeMs)) return null
  return { step: row.step, org_name: row.orgName, slug: row.slug, updated_at: row.updatedAt }
}

/**
 * Keeps the position of a person and, when one is sent, the event of the funnel.
 * @throws SvcError `wizard-step-unknown`
 */
export async function saveWizard(
  deps: Identity,
  grant: Grant,
  given: {
    readonly step: string
    readonly orgName: string | null
    readonly slug: string | null
    readonly event: 'reached' | 'completed' | 'abandoned' | null
  },
): Promise<void> {
  const userId = personOf(grant)
  const step = wizardSteps.find((it): it is WizardStep => it === given.step)
  if (step === undefined) throw new SvcError('wizard-step-unknown', { step: given.step })
  const updatedAt = deps.clock.iso()
  const state = { step, orgName: given.orgName, slug: given.slug, updatedAt }
  await deps.db.inTransaction(async (tx) => {
    await tx
      .insert(wizardStates)
      .values({ userId, ...state })
      .onConflictDoUpdate({ target: wizardStates.userId, set: state })
    if (given.event !== null)
      await tx.insert(onboardingEvents).values({ id: newId(), userId, step, event: given.event, createdAt: updatedAt })
  })
}

/** Forgets the position; nothing happens where there is none. */
export async function clearWizard(deps: Identity, grant: Grant): Promise<void> {
  const userId = personOf(grant)
  await deps.db.inTransaction((tx) => tx.delete(wizardStates).where(eq(wizardStates.userId, userId)))
}

/**
 * Removes the positions that no one came back to.
 * @param now milliseconds since the epoch
 */
export async function sweepWizard(db: Database, now: number): Promise<void> {
  await removeWhere(db, wizardStates, lt(wizardStates.updatedAt, isoOf(now - wizardLifeMs)))
}
