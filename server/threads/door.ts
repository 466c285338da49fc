/** What other rooms use of threads. */
export { excerptOfBody, mentionedMembers, mentionsIn, renameMentions } from './mentions.ts'
export { countOpen, type VersionRefs } from './store.ts'
