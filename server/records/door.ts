/** What other rooms use of records. */
export { findVersion, type FoundVersion } from './find-version.ts'
export { baselineOf, latestOf, latestPublished } from '../../src/kernel/latest-version.ts'
export { findProject, type ProjectRow } from './project.ts'
export { toVersionRecord, urlsOf, versionRefsOf, type VersionRow } from './version.ts'
