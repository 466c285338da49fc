/** What other rooms use of license. */
export { planOf, type Plans } from './plans.ts'
export {
  assertPlannedProject,
  assertProjectRoom,
  assertRoom,
  assertStorageRoom,
  countKeys,
  countSeats,
  limitsOf,
  openInvitation,
  ownedPlans,
} from './quota.ts'
export { hourMs, pollsUsed, usageOf } from './usage.ts'
