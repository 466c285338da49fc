/** What other rooms use of users. */
export { preferredTenantOf } from './candidates.ts'
export { checkPassword, confirmPassword } from './check-password.ts'
export { normalizeEmail, normalizeName } from './email.ts'
export { findVerifiedUser, ofAddress, passwordBeside, userOf, userRecord, type UserRow } from './find.ts'
export { belongsTo, describeReset, issueReset, resetHours, resetLink, useReset } from './password-reset.ts'
export { dropPending, grantInvitations, lockAddress, settleInvitation } from './pending.ts'
export { claimService, insertUser, isClaimed, type NewUser } from './service.ts'
export { setPassword } from './set-password.ts'
