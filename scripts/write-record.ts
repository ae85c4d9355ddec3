/** `tsx scripts/write-record.ts NAME`: records the inputs and outputs of an artifact whose build or check succeeded. */
import { writeRecord } from './records.ts';

writeRecord(process.argv[2] ?? '');
