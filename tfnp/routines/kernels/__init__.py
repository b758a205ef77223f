"""What TensorFlow lacks or gets wrong: functions of tensors of one dtype, told what they are given, trusting it."""
