"""Drawing programs of TensorFlow's ops: a table of the ops, and what each argument may be."""
