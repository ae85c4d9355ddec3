import { type Background, startBackground } from '../background.ts';
import type { HttpApp } from '../http/variables.ts';
import type { Service } from '../service.ts';

/** The five preparing endpoints, submit and the state of an operation (SPEC.md sections 3 and 4). */
export function registerOperations(_app: HttpApp, _service: Service): void {}

/** Starts the worker that brings signed operations to their final result (SPEC.md section 3). */
export function startWorker(service: Service): Background {
  return startBackground(service, { name: 'worker', step: async () => undefined });
}
