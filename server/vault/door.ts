/** What other rooms use of vault. */
export type { Vault } from './vault.ts'
