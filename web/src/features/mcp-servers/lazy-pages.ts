/** The pages of this feature, which come over the wire together when the first of them is opened. */
export { ChainsView } from './chains-view.tsx'
export { ChangesView } from './changes-view.tsx'
export { FindingsView } from './findings-view.tsx'
export { HistoryView } from './history-view.tsx'
export { RegistryPage } from './registry-page.tsx'
export { ServerPage } from './server-page.tsx'
export { ServersPage } from './servers-page.tsx'
export { SurfaceView } from './surface-view.tsx'
