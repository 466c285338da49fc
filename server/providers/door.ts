/** What other rooms use of providers. */
export { findApp, openAppClient, openAppKey, openHookSecret, type AppRow } from './apps.ts'
export { findClient, openClient } from './clients.ts'
export { finishManifest } from './manifest.ts'
export { providerRecords } from './service.ts'
export { beginVisit, endVisit, readReturn, type EndedVisit, type Purpose } from './visits.ts'
