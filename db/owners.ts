import { inArray, sql } from 'drizzle-orm'
import { memberships } from './tables.gen.ts'
import { ownerWords } from '../src/api/permissions.ts'

/** The memberships of Owners, whichever word their row was written with. */
export const ofOwners = inArray(sql`${memberships.role}`, [...ownerWords])
