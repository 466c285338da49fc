/** What other rooms use of members. */
export { findMember, hasOtherOwner, isMember } from './find.ts'
export { acceptInvitation, describeInvitation, joinInvitation } from './invitations.ts'
