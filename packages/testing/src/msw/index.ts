/**
 * A service in memory as handlers of msw. The other entry needs no msw.
 *
 * @module @service/testing/msw
 */
export {
  hostileHandlers,
  type ServiceHandlers,
  type ServiceHandlersOptions,
  serviceHandlers,
} from '../memory/service-handlers.ts';
